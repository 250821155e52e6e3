// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "visual/prototype_gallery.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "visual/palette.hpp"
#include "visual/prototype_colour.hpp"
#include "visual/text.hpp"

namespace mgproto::visual
{
namespace
{

constexpr int kWidth = kGalleryNearestLeft + kNearPatches * kGalleryTile +
                       (kNearPatches - 1) * kGalleryTileGap + kMargin;
const TextStyle kTiny{11, kFaintInk};

int near_left(int place) { return kGalleryNearestLeft + place * (kGalleryTile + kGalleryTileGap); }

void draw_tile(
  cv::Mat & canvas, const PatchPicture & patch, cv::Point corner, const cv::Scalar & ink,
  const std::string & if_missing)
{
  const cv::Rect tile(corner, cv::Size(kGalleryTile, kGalleryTile));
  if (!patch.pixels.empty() && patch.pixels.type() == CV_8UC3) {
    draw_patch(canvas, tile, patch, ink);
    return;
  }
  cv::rectangle(canvas, tile, kTile, cv::FILLED);
  const int x = tile.x + (tile.width - text_width(if_missing, kSmall)) / 2;
  draw_text(canvas, if_missing, {x, tile.y + tile.height / 2 + 4}, kSmall);
}

/// The file's name, shortened at its beginning: what tells images apart is mostly at the end.
std::string end_of_name(const std::string & path, int width, const TextStyle & style)
{
  std::string name = ascii_safe(path.substr(path.rfind('/') + 1));
  if (text_width(name, style) <= width) {
    return name;
  }
  std::size_t left_out = 0;
  while (left_out < name.size() && text_width("..." + name.substr(left_out), style) > width) {
    ++left_out;
  }
  return "..." + name.substr(left_out);
}

void draw_facts(cv::Mat & canvas, int top, const GalleryPrototype & prototype, double largest_prior)
{
  const cv::Scalar ink = prototype_colour(prototype.place);
  const int room = kGallerySourceLeft - kMargin - 18;
  const std::string number_text = std::to_string(prototype.number);
  draw_text(canvas, "prototype", {kMargin, top + 36}, kSmall);
  draw_text(
    canvas, number_text, {kMargin, top + 68},
    fitting(number_text, room, TextStyle{30, ink, true}, 12));
  draw_text(canvas, "prior " + number(prototype.prior), {kMargin, top + 96}, {15, kInk});
  const cv::Rect bar(kMargin, top + 106, room, 6);
  cv::rectangle(canvas, bar, kTile, cv::FILLED);
  const double share = std::clamp(prototype.prior / largest_prior, 0.0, 1.0);
  if (share > 0) {  // false for NaN
    cv::rectangle(
      canvas, cv::Rect(bar.x, bar.y, std::max(1, cvRound(share * room)), bar.height), ink,
      cv::FILLED);
  }
}

void draw_row(cv::Mat & canvas, int top, const GalleryPrototype & prototype, double largest_prior)
{
  const cv::Scalar ink = prototype_colour(prototype.place);
  draw_facts(canvas, top, prototype, largest_prior);
  draw_tile(canvas, prototype.source, {kGallerySourceLeft, top}, ink, "no patch");
  for (int i = 0; i < kNearPatches; ++i) {
    const cv::Point corner(near_left(i), top);
    if (i >= static_cast<int>(prototype.nearest.size())) {
      draw_tile(canvas, {}, corner, ink, "no image");
      continue;
    }
    const NearPatch & patch = prototype.nearest[i];
    draw_tile(canvas, patch.picture, corner, ink, "no patch");
    draw_text(
      canvas, "h = " + number_from_log(patch.log_likelihood),
      corner + cv::Point(0, kGalleryTile + 17), {13, kInk, true});
    draw_text(
      canvas, end_of_name(patch.image, kGalleryTile, kTiny),
      corner + cv::Point(0, kGalleryTile + 33), kTiny);
  }
}

}  // namespace

cv::Mat prototype_gallery(
  const std::string & title, const std::string & caption,
  const std::vector<GalleryPrototype> & prototypes)
{
  const int height = kGalleryFirstRow + static_cast<int>(prototypes.size()) * kGalleryRowHeight;
  cv::Mat canvas(height + kMargin / 2, kWidth, CV_8UC3, kPaper);
  const TextStyle heading{22, kInk, true};
  const int room = kWidth - 2 * kMargin;
  draw_text(canvas, shortened(title, room, heading), {kMargin, kMargin + 20}, heading);
  draw_text(canvas, shortened(caption, room, kSmall), {kMargin, kMargin + 46}, kSmall);
  const int captions = kGalleryFirstRow - 12;
  draw_text(canvas, "stands for", {kGallerySourceLeft, captions}, kSmall);
  draw_text(
    canvas, "nearest patches in the data, one an image", {kGalleryNearestLeft, captions}, kSmall);

  double largest_prior = 0;
  for (const GalleryPrototype & prototype : prototypes) {
    largest_prior =
      std::isfinite(prototype.prior) ? std::max(largest_prior, prototype.prior) : largest_prior;
  }
  for (std::size_t i = 0; i < prototypes.size(); ++i) {
    const int top = kGalleryFirstRow + static_cast<int>(i) * kGalleryRowHeight;
    draw_row(canvas, top, prototypes[i], largest_prior);
  }
  return canvas;
}

}  // namespace mgproto::visual
