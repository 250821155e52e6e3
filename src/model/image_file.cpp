// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/image_file.hpp"

#include <opencv2/imgcodecs.hpp>

#include "mgproto_ros/error.hpp"
#include "model/file_io.hpp"

namespace mgproto
{

cv::Mat read_image(const std::string & path)
{
  const MappedFile file(path);
  const cv::Mat bytes(
    1, static_cast<int>(file.size()), CV_8U,
    const_cast<void *>(static_cast<const void *>(file.data())));
  cv::Mat image;
  try {
    image = cv::imdecode(bytes, cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION);
  } catch (const cv::Exception & error) {
    throw FileError(path, "cannot be decoded: " + error.err);
  }
  if (image.empty()) {
    throw FileError(path, "is not an image that OpenCV can decode");
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
