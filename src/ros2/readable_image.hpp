// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__READABLE_IMAGE_HPP_
#define ROS2__READABLE_IMAGE_HPP_

#include <sensor_msgs/msg/image.hpp>

#include "messages/image_input.hpp"

namespace mgproto_ros
{

/// The message's own memory if its encoding is one of ours; otherwise, where cv_bridge knows how, a
/// copy converted to BGR (16-bit colours, other YUV). Throws messages::InvalidMessage.
mgproto::perception::CameraImage readable_image(
  const sensor_msgs::msg::Image::ConstSharedPtr & message,
  const mgproto::messages::ImageRules & rules);

}  // namespace mgproto_ros

#endif  // ROS2__READABLE_IMAGE_HPP_
