// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MESSAGES__DETECTIONS_INPUT_HPP_
#define MESSAGES__DETECTIONS_INPUT_HPP_

#include <vector>
#include <vision_msgs/msg/detection2_d_array.hpp>

#include "perception/frame.hpp"
#include "perception/perception.hpp"

namespace mgproto::messages
{

/// What a detector found in an image, one region for each detection, in order. Never throws. A region
/// is the smallest box of whole pixels around a detection's rectangle, which may be rotated; it may
/// reach out of the image, but not by so much that numbers overflow. One without a size, with numbers
/// that are not finite, or behind the first 1000, because each costs a run of the model, has a problem.
std::vector<perception::Region> read_detections(const vision_msgs::msg::Detection2DArray & message);

/// Hands them to the perception.
void add_detections(
  perception::Perception & perception, int camera,
  const vision_msgs::msg::Detection2DArray & message);

}  // namespace mgproto::messages

#endif  // MESSAGES__DETECTIONS_INPUT_HPP_
