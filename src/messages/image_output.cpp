// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/image_output.hpp"

#include <opencv2/imgcodecs.hpp>

#include "messages/header.hpp"
#include "mgproto_ros/error.hpp"

namespace mgproto::messages
{

namespace
{

constexpr int kJpegQuality = 90;

void check(const cv::Mat & bgr)
{
  if (bgr.empty() || bgr.type() != CV_8UC3) {
    throw ImageError("a picture to publish must be 8-bit BGR and not empty");
  }
}

}  // namespace

sensor_msgs::msg::Image image_message(const perception::Header & header, const cv::Mat & bgr)
{
  check(bgr);
  sensor_msgs::msg::Image message;
  message.header = header_message(header);
  message.width = static_cast<std::uint32_t>(bgr.cols);
  message.height = static_cast<std::uint32_t>(bgr.rows);
  message.encoding = "bgr8";
  message.step = message.width * 3;
  message.data.reserve(std::size_t{message.step} * message.height);
  for (int y = 0; y < bgr.rows; ++y) {
    message.data.insert(message.data.end(), bgr.ptr(y), bgr.ptr(y) + message.step);
  }
  return message;
}

sensor_msgs::msg::CompressedImage compressed_image_message(
  const perception::Header & header, const cv::Mat & bgr)
{
  check(bgr);
  sensor_msgs::msg::CompressedImage message;
  message.header = header_message(header);
  message.format = "bgr8; jpeg compressed bgr8";  // as image_transport's plugin writes it
  cv::imencode(".jpg", bgr, message.data, {cv::IMWRITE_JPEG_QUALITY, kJpegQuality});
  return message;
}

}  // namespace mgproto::messages
