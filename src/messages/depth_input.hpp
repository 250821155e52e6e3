// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MESSAGES__DEPTH_INPUT_HPP_
#define MESSAGES__DEPTH_INPUT_HPP_

#include <memory>
#include <optional>
#include <sensor_msgs/msg/camera_info.hpp>
#include <sensor_msgs/msg/image.hpp>

#include "perception/depth_store.hpp"
#include "perception/perception.hpp"

namespace mgproto::messages
{

/// The message's own memory as depth: 16UC1 or mono16 in millimetres, 32FC1 in metres. Throws
/// InvalidMessage.
perception::DepthImage read_depth(const std::shared_ptr<const sensor_msgs::msg::Image> & message);

/// The pinhole that K says, for the part of the sensor and the binning that the images are of.
/// Nothing if the camera is not calibrated, or the numbers are of no camera.
std::optional<perception::Intrinsics> read_intrinsics(const sensor_msgs::msg::CameraInfo & message);

/// Hands them to the perception, or rejects the message.
void add_depth(
  perception::Perception & perception, int camera,
  const std::shared_ptr<const sensor_msgs::msg::Image> & message);

}  // namespace mgproto::messages

#endif  // MESSAGES__DEPTH_INPUT_HPP_
