// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MESSAGES__IMAGE_OUTPUT_HPP_
#define MESSAGES__IMAGE_OUTPUT_HPP_

#include <opencv2/core/mat.hpp>
#include <sensor_msgs/msg/compressed_image.hpp>
#include <sensor_msgs/msg/image.hpp>

#include "perception/frame.hpp"

namespace mgproto::messages
{

/// An 8-bit BGR picture as a message with that header, rows without padding.
sensor_msgs::msg::Image image_message(const perception::Header & header, const cv::Mat & bgr);

/// The same as a JPEG.
sensor_msgs::msg::CompressedImage compressed_image_message(
  const perception::Header & header, const cv::Mat & bgr);

}  // namespace mgproto::messages

#endif  // MESSAGES__IMAGE_OUTPUT_HPP_
