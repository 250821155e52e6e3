// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MESSAGES__MODEL_MESSAGES_HPP_
#define MESSAGES__MODEL_MESSAGES_HPP_

#include <mgproto_ros/msg/prototype_gallery.hpp>
#include <vision_msgs/msg/label_info.hpp>
#include <vision_msgs/msg/vision_info.hpp>

#include "perception/frame_prediction.hpp"

namespace mgproto::messages
{

/// What a node says about its model, latched; `now` is when it came into use.
mgproto_ros::msg::PrototypeGallery gallery_message(
  const perception::ModelInfo & model, const perception::Stamp & now);

/// Where the model is, and the how-manieth of this node it is.
vision_msgs::msg::VisionInfo vision_info_message(
  const perception::ModelInfo & model, const perception::Stamp & now);

/// The names of the class ids. The threshold is 0, because here no score decides what counts, but
/// log p(x), which OodFlag has. A class that the message's 16 bits cannot number is left out.
vision_msgs::msg::LabelInfo label_info_message(
  const perception::ModelInfo & model, const perception::Stamp & now);

}  // namespace mgproto::messages

#endif  // MESSAGES__MODEL_MESSAGES_HPP_
