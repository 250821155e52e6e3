// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/prediction_messages.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "messages/header.hpp"
#include "messages/region_of_interest.hpp"

namespace mgproto::messages
{
namespace
{

using PredictionMessage = mgproto_ros::msg::Prediction;
using perception::FramePrediction;
using perception::RegionPrediction;

double number(double value)
{
  return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
}

/// In [0, 1], or NaN.
double share(double value)
{
  return std::isfinite(value) ? std::clamp(value, 0.0, 1.0) : number(value);
}

double value_of(const std::vector<float> & values, int class_id)
{
  const bool there = class_id >= 0 && static_cast<std::size_t>(class_id) < values.size();
  return there ? values[class_id] : std::numeric_limits<double>::quiet_NaN();
}

std::string class_name(const FramePrediction & frame, int class_id)
{
  const bool there = frame.model && class_id >= 0 &&
                     static_cast<std::size_t>(class_id) < frame.model->manifest.classes.size();
  return there ? frame.model->manifest.classes[class_id] : "";
}

std::string model_id(const FramePrediction & frame) { return frame.model ? frame.model->id : ""; }

std::uint8_t status(Verdict verdict)
{
  switch (verdict) {
    case Verdict::known:
      return PredictionMessage::KNOWN;
    case Verdict::uncalibrated:
      return PredictionMessage::UNCALIBRATED;
    case Verdict::unknown:
      break;
  }
  return PredictionMessage::UNKNOWN;
}

/// Places of the most probable class, by falling contribution, as the prediction has them.
std::vector<const PrototypeEvidence *> strongest(const Prediction & prediction, int count)
{
  std::vector<const PrototypeEvidence *> result;
  for (const PrototypeEvidence & evidence : prediction.evidence) {
    if (evidence.class_id == prediction.class_id && static_cast<int>(result.size()) < count) {
      result.push_back(&evidence);
    }
  }
  return result;
}

/// Centre of the index-th of `count` cells that share [begin, begin + length).
double cell_centre(double begin, double length, int index, int count)
{
  return number(begin + length * (index + 0.5) / count);
}

mgproto_ros::msg::PrototypeEvidence prototype_message(
  const Prediction & prediction, const PrototypeEvidence & evidence)
{
  const SeenRegion & seen = prediction.seen;
  mgproto_ros::msg::PrototypeEvidence message;
  message.prototype = evidence.prototype;
  message.class_id = evidence.class_id;
  message.prior = share(evidence.prior);
  message.log_likelihood = number(evidence.log_likelihood);
  message.likelihood = std::exp(message.log_likelihood);
  message.contribution = share(evidence.contribution);
  message.x = cell_centre(seen.x, seen.width, evidence.col, prediction.map_cols);
  message.y = cell_centre(seen.y, seen.height, evidence.row, prediction.map_rows);
  message.box = region_message(evidence.box);
  return message;
}

/// Without likelihoods if the map is not of the size that the prediction says.
mgproto_ros::msg::EvidenceMap map_message(
  const Prediction & prediction, const PrototypeEvidence & evidence)
{
  mgproto_ros::msg::EvidenceMap message;
  message.prototype = evidence.prototype;
  message.class_id = evidence.class_id;
  message.contribution = share(evidence.contribution);
  message.x = number(prediction.seen.x);
  message.y = number(prediction.seen.y);
  message.width = number(prediction.seen.width);
  message.height = number(prediction.seen.height);
  const std::int64_t cells = std::int64_t{prediction.map_rows} * prediction.map_cols;
  if (prediction.map_rows > 0 && cells == static_cast<std::int64_t>(evidence.map.size())) {
    message.rows = static_cast<std::uint32_t>(prediction.map_rows);
    message.cols = static_cast<std::uint32_t>(prediction.map_cols);
    message.likelihood.reserve(evidence.map.size());
    for (const float likelihood : evidence.map) {
      message.likelihood.push_back(static_cast<float>(number(likelihood)));
    }
  }
  return message;
}

/// What Prediction and OodFlag both say of it.
template <typename Message>
void set_decision(const Prediction & prediction, Message & message)
{
  const auto p_value = [&](Question question) {
    return share(prediction.p_values[static_cast<std::size_t>(question)]);
  };
  message.score = number(prediction.score);
  message.threshold = number(prediction.threshold);
  message.typicality = share(prediction.typicality.value_or(NAN));
  message.p_density = p_value(Question::density);
  message.p_parts = p_value(Question::parts);
  message.p_place = p_value(Question::place);
  message.p_distance = p_value(Question::distance);
}

/// Where, and what a detector says of it.
template <typename Message>
void set_region(const RegionPrediction & region, Message & message)
{
  message.region = region_message(region.region);
  message.detection_id = region.detection_id;
  message.detection_class = region.detection_class;
  message.detection_score = number(region.detection_score);
}

}  // namespace

PredictionMessage prediction_message(const FramePrediction & frame, const RegionPrediction & region)
{
  const Prediction & prediction = region.prediction;
  PredictionMessage message;
  message.header = header_message(frame.header);
  message.status = status(prediction.verdict);
  message.reason = region.reason;
  message.class_id = prediction.class_id;
  message.class_name = class_name(frame, prediction.class_id);
  message.posterior = share(value_of(prediction.posterior, prediction.class_id));
  message.log_likelihood = number(value_of(prediction.log_likelihood, prediction.class_id));
  message.log_density = number(prediction.log_density);
  set_decision(prediction, message);
  message.missing.assign(prediction.missing.begin(), prediction.missing.end());
  set_region(region, message);
  for (const int class_id : prediction.most_probable(frame.top_k)) {
    mgproto_ros::msg::ClassScore score;
    score.class_id = class_id;
    score.class_name = class_name(frame, class_id);
    score.posterior = share(value_of(prediction.posterior, class_id));
    score.log_likelihood = number(value_of(prediction.log_likelihood, class_id));
    message.scores.push_back(std::move(score));
  }
  for (const PrototypeEvidence * evidence : strongest(prediction, frame.evidence_prototypes)) {
    message.evidence.push_back(prototype_message(prediction, *evidence));
  }
  message.model_id = model_id(frame);
  return message;
}

mgproto_ros::msg::OodFlag ood_message(
  const FramePrediction & frame, const RegionPrediction & region)
{
  mgproto_ros::msg::OodFlag message;
  message.header = header_message(frame.header);
  message.unknown = region.unknown;
  message.reason = region.unknown_reason;
  message.log_density = number(region.prediction.log_density);
  set_decision(region.prediction, message);
  set_region(region, message);
  message.model_id = model_id(frame);
  return message;
}

mgproto_ros::msg::EvidenceMaps evidence_message(
  const FramePrediction & frame, const RegionPrediction & region)
{
  mgproto_ros::msg::EvidenceMaps message;
  message.header = header_message(frame.header);
  message.region = region_message(region.region);
  message.detection_id = region.detection_id;
  for (const PrototypeEvidence * evidence :
       strongest(region.prediction, frame.evidence_prototypes)) {
    message.maps.push_back(map_message(region.prediction, *evidence));
  }
  message.model_id = model_id(frame);
  return message;
}

std::vector<vision_msgs::msg::ObjectHypothesis> hypotheses(
  const RegionPrediction & region, int top_k)
{
  std::vector<vision_msgs::msg::ObjectHypothesis> results;
  if (region.prediction.verdict != Verdict::known || region.unknown) {
    return results;
  }
  for (const int class_id : region.prediction.most_probable(top_k)) {
    vision_msgs::msg::ObjectHypothesis hypothesis;
    hypothesis.class_id = std::to_string(class_id);
    hypothesis.score = share(value_of(region.prediction.posterior, class_id));
    results.push_back(std::move(hypothesis));
  }
  return results;
}

vision_msgs::msg::Classification classification_message(
  const FramePrediction & frame, const RegionPrediction & region)
{
  vision_msgs::msg::Classification message;
  message.header = header_message(frame.header);
  message.results = hypotheses(region, frame.top_k);
  return message;
}

vision_msgs::msg::Detection2DArray detections_message(const FramePrediction & frame)
{
  vision_msgs::msg::Detection2DArray message;
  message.header = header_message(frame.header);
  for (const RegionPrediction & region : frame.regions) {
    vision_msgs::msg::Detection2D detection;
    detection.header = message.header;
    detection.id = region.detection_id;
    detection.bbox.center.position.x = region.region.x + region.region.width / 2.0;
    detection.bbox.center.position.y = region.region.y + region.region.height / 2.0;
    detection.bbox.size_x = region.region.width;
    detection.bbox.size_y = region.region.height;
    for (auto & hypothesis : hypotheses(region, frame.top_k)) {
      detection.results.emplace_back();
      detection.results.back().hypothesis = std::move(hypothesis);
    }
    message.detections.push_back(std::move(detection));
  }
  return message;
}

}  // namespace mgproto::messages
