// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "ros2/readable_image.hpp"

#include <cstdint>
#include <exception>
#include <sensor_msgs/image_encodings.hpp>

#include "ros2/distribution.hpp"

namespace mgproto_ros
{
namespace
{

using mgproto::perception::CameraImage;

/// cv_bridge multiplies sizes in 32 bits; these keep it from believing an image that is not there.
bool is_safe_for_cv_bridge(const sensor_msgs::msg::Image & image)
{
  using mgproto::perception::kMaxSide;
  return image.width > 0 && image.height > 0 && image.width <= kMaxSide &&
         image.height <= kMaxSide && std::uint64_t{image.height} * image.step == image.data.size();
}

CameraImage view_of(const cv_bridge::CvImagePtr & converted)
{
  const cv::Mat & picture = converted->image;
  CameraImage image;
  image.owner = converted;
  image.data = picture.data;
  image.size = picture.total() * picture.elemSize();
  image.width = picture.cols;
  image.height = picture.rows;
  image.step = picture.step[0];
  image.encoding = mgproto::perception::Encoding::bgr8;
  return image;
}

}  // namespace

CameraImage readable_image(
  const sensor_msgs::msg::Image::ConstSharedPtr & message,
  const mgproto::messages::ImageRules & rules)
{
  if (
    message && !mgproto::messages::is_known_encoding(message->encoding) &&
    is_safe_for_cv_bridge(*message)) {
    try {
      return view_of(cv_bridge::toCvCopy(*message, sensor_msgs::image_encodings::BGR8));
    } catch (const std::exception &) {  // view() says what is expected
    }
  }
  return mgproto::messages::view(message, rules);
}

}  // namespace mgproto_ros
