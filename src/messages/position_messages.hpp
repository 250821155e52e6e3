// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MESSAGES__POSITION_MESSAGES_HPP_
#define MESSAGES__POSITION_MESSAGES_HPP_

#include <string>
#include <vision_msgs/msg/detection3_d_array.hpp>
#include <visualization_msgs/msg/marker_array.hpp>

#include "perception/frame_prediction.hpp"

namespace mgproto::messages
{

/// The class_id of what is not known, with a score of 1: the verdict, not a probability. It has a
/// hypothesis, unlike in Detection2DArray, because a position with its covariance is part of one,
/// and because rviz's plugin and others take the first without asking whether there is one.
inline constexpr const char * kUnknownClass = "unknown";

/// One detection for each region that has a position, with its id, in the camera's optical frame.
vision_msgs::msg::Detection3DArray detections_3d_message(const perception::FramePrediction & frame);

/// The same to look at: a box in the colour of the verdict, as on the overlay, and the verdict in
/// words above it. The namespace is the camera's name, or the node's if it has none; ids count the
/// regions. Those of the frame before are deleted, and all vanish if no other frame comes.
visualization_msgs::msg::MarkerArray markers_message(
  const perception::FramePrediction & frame, const std::string & ns);

}  // namespace mgproto::messages

#endif  // MESSAGES__POSITION_MESSAGES_HPP_
