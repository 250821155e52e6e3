// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/image_file.hpp"

#include <opencv2/imgcodecs.hpp>

#include "mgproto_ros/error.hpp"
#include "model/file_io.hpp"

namespace mgproto
{
namespace
{

/// Whether a JPEG has no end marker after its pixels. The decoder fills what is missing with grey
/// and reports success, so half a download would otherwise train the network on grey.
bool is_cut_short(const std::uint8_t * bytes, std::size_t size)
{
  if (size < 4 || bytes[0] != 0xFF || bytes[1] != 0xD8) {
    return false;  // not a JPEG
  }
  std::size_t at = 2;
  bool in_pixels = false;
  while (!in_pixels && at + 4 <= size && bytes[at] == 0xFF) {  // segments up to the first scan
    if (bytes[at + 1] == 0xFF) {
      ++at;  // fill byte
      continue;
    }
    in_pixels = bytes[at + 1] == 0xDA;
    at += 2 + bytes[at + 2] * 256u + bytes[at + 3];
  }
  for (; at + 1 < size; ++at) {  // inside a scan 0xFF 0xD9 cannot be a pixel
    if (bytes[at] == 0xFF && bytes[at + 1] == 0xD9) {
      return false;
    }
  }
  return true;
}

}  // namespace

cv::Mat read_image(const std::string & path, int flags)
{
  const MappedFile file(path);
  if (is_cut_short(reinterpret_cast<const std::uint8_t *>(file.data()), file.size())) {
    throw FileError(path, "is cut short");
  }
  const cv::Mat bytes(
    1, static_cast<int>(file.size()), CV_8U,
    const_cast<void *>(static_cast<const void *>(file.data())));
  cv::Mat image;
  try {
    image = cv::imdecode(bytes, flags | cv::IMREAD_IGNORE_ORIENTATION);
  } catch (const cv::Exception &) {
    image.release();
  }
  if (image.empty()) {
    throw FileError(path, "is not a readable image");
  }
  return image;
}

void write_image(const std::string & path, const cv::Mat & image)
{
  const auto dot = path.rfind('.');
  const std::string extension = dot == std::string::npos ? "" : path.substr(dot);
  std::vector<unsigned char> bytes;
  bool encoded = false;
  try {
    encoded = !extension.empty() && cv::imencode(extension, image, bytes);
  } catch (const cv::Exception &) {
    // An extension that no encoder has; said below.
  }
  if (!encoded) {
    throw FileError(path, "cannot be encoded: expected a name that ends in .png or .jpg");
  }
  write_atomically(path, {{bytes.data(), bytes.size()}});
}

ImageView view_of(const cv::Mat & image)
{
  return {image.data, image.cols, image.rows, image.step[0], PixelFormat::bgr};
}

}  // namespace mgproto
