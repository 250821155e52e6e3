// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MESSAGES__PREDICTION_MESSAGES_HPP_
#define MESSAGES__PREDICTION_MESSAGES_HPP_

#include <mgproto_ros/msg/evidence_maps.hpp>
#include <mgproto_ros/msg/ood_flag.hpp>
#include <mgproto_ros/msg/prediction.hpp>
#include <vector>
#include <vision_msgs/msg/classification.hpp>
#include <vision_msgs/msg/detection2_d_array.hpp>

#include "perception/frame_prediction.hpp"

namespace mgproto::messages
{

/// `region` is one of the frame's. All of these carry the header of the image. A number that is not
/// finite becomes NaN, and a share of 1 that rounding has carried beyond is 1 again.
mgproto_ros::msg::Prediction prediction_message(
  const perception::FramePrediction & frame, const perception::RegionPrediction & region);

mgproto_ros::msg::OodFlag ood_message(
  const perception::FramePrediction & frame, const perception::RegionPrediction & region);

/// Of as many prototypes as the prediction tells.
mgproto_ros::msg::EvidenceMaps evidence_message(
  const perception::FramePrediction & frame, const perception::RegionPrediction & region);

/// The most probable classes if the region's own verdict is known and the flag over time agrees,
/// otherwise none. Classes are numbers in decimal, as in LabelInfo; the score is p(c|x).
std::vector<vision_msgs::msg::ObjectHypothesis> hypotheses(
  const perception::RegionPrediction & region, int top_k);

/// These two have no word for "unknown". So they name classes only where the region's own verdict
/// is known and the flag over time agrees; otherwise `results` is empty, lest a guess be taken for
/// an answer. Classes are numbers in decimal, as in LabelInfo; the score is p(c|x).
vision_msgs::msg::Classification classification_message(
  const perception::FramePrediction & frame, const perception::RegionPrediction & region);

/// One detection for each region, with its box and id.
vision_msgs::msg::Detection2DArray detections_message(const perception::FramePrediction & frame);

}  // namespace mgproto::messages

#endif  // MESSAGES__PREDICTION_MESSAGES_HPP_
