// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "visual/patch_picture.hpp"

#include <algorithm>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "visual/heat_map.hpp"
#include "visual/palette.hpp"

namespace mgproto::visual
{
namespace
{

constexpr double kContext = 1.5;  // side of the square around a box, in the box's longer sides
constexpr int kJpegQuality = 90;
constexpr int kStoredJpegQuality = 85;
constexpr int kLargestPatch = 144;    // pixels of the longer side of a stored patch
const cv::Size kBoxedSize(144, 144);  // so that the lines of all boxes look equally thick

cv::Rect square_around(const cv::Rect & box, cv::Size image)
{
  const int side = cvRound(kContext * std::max(box.width, box.height));
  const cv::Size size(std::min(side, image.width), std::min(side, image.height));
  const cv::Point centre = (box.tl() + box.br()) / 2;
  return {
    {std::clamp(centre.x - size.width / 2, 0, image.width - size.width),
     std::clamp(centre.y - size.height / 2, 0, image.height - size.height)},
    size};
}

SeenRegion region_of(const Box & box)
{
  return {
    static_cast<double>(box.x), static_cast<double>(box.y), static_cast<double>(box.width),
    static_cast<double>(box.height)};
}

cv::Mat decoded(const std::vector<std::uint8_t> & file)
{
  try {
    return cv::imdecode(file, cv::IMREAD_COLOR);
  } catch (const cv::Exception &) {
    return {};
  }
}

}  // namespace

PatchPicture patch_of(const cv::Mat & image, const Box & box, bool with_context)
{
  const cv::Rect area = pixels(box, image.size());
  if (area.empty()) {
    return {};
  }
  if (!with_context) {
    return {image(area), {}};
  }
  const cv::Rect square = square_around(area, image.size());
  return {image(square), area - square.tl()};
}

PatchPicture stored_patch(const Provenance & source)
{
  const cv::Mat patch = decoded(source.patch);
  return {patch, pixels(source.in_patch, patch.size())};
}

namespace
{

cv::Size at_most(cv::Size image, int longest)
{
  return std::max(image.width, image.height) > longest ? fitted(image, {longest, longest}) : image;
}

}  // namespace

std::vector<std::uint8_t> small_jpeg(const cv::Mat & image, int longest)
{
  std::vector<std::uint8_t> bytes;
  cv::imencode(
    ".jpg", resized(image, at_most(image.size(), longest)), bytes,
    {cv::IMWRITE_JPEG_QUALITY, kStoredJpegQuality});
  return bytes;
}

void store_patch(Provenance & source, const cv::Mat & image)
{
  PatchPicture patch = patch_of(image, source.box);
  patch = resized(patch, at_most(patch.pixels.size(), kLargestPatch));
  source.patch = small_jpeg(patch.pixels, kLargestPatch);
  source.in_patch = {patch.box.x, patch.box.y, patch.box.width, patch.box.height};
}

PatchPicture resized(const PatchPicture & patch, cv::Size size)
{
  return {resized(patch.pixels, size), scaled(patch.box, patch.pixels.size(), size)};
}

void draw_patch(
  cv::Mat & canvas, const cv::Rect & tile, const PatchPicture & patch, const cv::Scalar & ink)
{
  cv::rectangle(canvas, tile, kTile, cv::FILLED);
  const PatchPicture shown = resized(patch, fitted(patch.pixels.size(), tile.size()));
  const cv::Point corner =
    tile.tl() + cv::Point(tile.width - shown.pixels.cols, tile.height - shown.pixels.rows) / 2;
  cv::Mat part = canvas(cv::Rect(corner, shown.pixels.size()));
  shown.pixels.copyTo(part);
  draw_box(part, shown.box, ink);
}

std::vector<std::uint8_t> boxed_jpeg(const Provenance & source)
{
  PatchPicture patch = stored_patch(source);
  if (patch.box.empty()) {
    return source.patch;
  }
  patch = resized(patch, fitted(patch.pixels.size(), kBoxedSize));
  draw_box(patch.pixels, patch.box, kInk);
  std::vector<std::uint8_t> jpeg;
  cv::imencode(".jpg", patch.pixels, jpeg, {cv::IMWRITE_JPEG_QUALITY, kJpegQuality});
  return jpeg;
}

void draw_box(cv::Mat & image, const cv::Rect & box, const cv::Scalar & ink)
{
  // Two pixels of colour and one of white inside: one of them stands out on any photo.
  const cv::Scalar rings[] = {ink, ink, kPaper};
  cv::Rect ring = box;
  for (const cv::Scalar & colour : rings) {
    if (ring.width > 0 && ring.height > 0) {
      cv::rectangle(image, ring, colour, 1);
    }
    ring = {ring.x + 1, ring.y + 1, ring.width - 2, ring.height - 2};
  }
}

cv::Size fitted(cv::Size image, cv::Size room)
{
  const double scale = std::min(
    static_cast<double>(room.width) / image.width, static_cast<double>(room.height) / image.height);
  return {
    std::clamp(cvRound(image.width * scale), 1, room.width),
    std::clamp(cvRound(image.height * scale), 1, room.height)};
}

cv::Mat resized(const cv::Mat & image, cv::Size size)
{
  cv::Mat result;
  const bool smaller = size.width < image.cols;
  cv::resize(image, result, size, 0, 0, smaller ? cv::INTER_AREA : cv::INTER_CUBIC);
  return result;
}

cv::Rect scaled(const cv::Rect & box, cv::Size from, cv::Size to)
{
  const SeenRegion region = scaled(
    region_of({box.x, box.y, box.width, box.height}), static_cast<double>(to.width) / from.width,
    static_cast<double>(to.height) / from.height);
  return pixels(region, to);
}

cv::Rect pixels(const Box & box, cv::Size size) { return pixels(region_of(box), size); }

}  // namespace mgproto::visual
