// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MESSAGES__PUBLISH_HPP_
#define MESSAGES__PUBLISH_HPP_

#include <string>

#include "messages/model_messages.hpp"
#include "messages/position_messages.hpp"
#include "messages/prediction_messages.hpp"

namespace mgproto::messages
{

// What every host publishes, and in which order. A host brings its publishers, as members that are
// called like the topics, and send(publisher, message).

/// What is to be acted on comes first: of all regions the prediction, then the flag. A
/// classification is about the image as a whole, so regions that a detector found have none.
template <class Publishers, class Send>
void publish_prediction(
  const perception::FramePrediction & frame, Publishers & to, const Send & send)
{
  for (const perception::RegionPrediction & region : frame.regions) {
    send(to.prediction, prediction_message(frame, region));
  }
  for (const perception::RegionPrediction & region : frame.regions) {
    send(to.ood, ood_message(frame, region));
  }
  for (const perception::RegionPrediction & region : frame.regions) {
    if (region.detection_id.empty()) {
      send(to.classification, classification_message(frame, region));
    }
  }
  send(to.detections, detections_message(frame));
}

/// Where things are, if there was depth to say so; what is to be looked at only where it is wanted.
template <class Publishers, class Send>
void publish_positions(
  const perception::FramePrediction & frame, const std::string & ns, bool with_markers,
  Publishers & to, const Send & send)
{
  if (!frame.has_depth) {
    return;
  }
  send(to.detections_3d, detections_3d_message(frame));
  if (with_markers) {
    send(to.markers, markers_message(frame, ns));
  }
}

template <class Publishers, class Send>
void publish_evidence(const perception::FramePrediction & frame, Publishers & to, const Send & send)
{
  for (const perception::RegionPrediction & region : frame.regions) {
    send(to.evidence, evidence_message(frame, region));
  }
}

template <class Publishers, class Send>
void publish_model(
  const perception::ModelInfo & model, const perception::Stamp & now, Publishers & to,
  const Send & send)
{
  send(to.prototypes, gallery_message(model, now));
  send(to.vision_info, vision_info_message(model, now));
  send(to.label_info, label_info_message(model, now));
}

}  // namespace mgproto::messages

#endif  // MESSAGES__PUBLISH_HPP_
