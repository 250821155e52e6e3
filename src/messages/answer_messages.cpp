// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/answer_messages.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "messages/header.hpp"
#include "messages/region_of_interest.hpp"

namespace mgproto::messages
{
namespace
{

using mgproto_ros::msg::Prediction;
using perception::Answer;
using perception::RegionAnswer;

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

std::string class_name(const Answer & answer, int class_id)
{
  const bool there = answer.model && class_id >= 0 &&
                     static_cast<std::size_t>(class_id) < answer.model->manifest.classes.size();
  return there ? answer.model->manifest.classes[class_id] : "";
}

std::string model_id(const Answer & answer) { return answer.model ? answer.model->id : ""; }

std::uint8_t status(Verdict verdict)
{
  switch (verdict) {
    case Verdict::known:
      return Prediction::KNOWN;
    case Verdict::uncalibrated:
      return Prediction::UNCALIBRATED;
    case Verdict::unknown:
      break;
  }
  return Prediction::UNKNOWN;
}

/// Classes by falling posterior, at most top_k; none if nothing is finite.
std::vector<int> top_classes(const Recognition & recognition, int top_k)
{
  if (recognition.class_id < 0) {
    return {};
  }
  const std::vector<float> & posterior = recognition.posterior;
  std::vector<int> classes;
  for (std::size_t c = 0; c < posterior.size(); ++c) {
    if (std::isfinite(posterior[c])) {
      classes.push_back(static_cast<int>(c));
    }
  }
  const auto count = top_k > 0 ? std::min<std::size_t>(top_k, classes.size()) : classes.size();
  std::partial_sort(classes.begin(), classes.begin() + count, classes.end(), [&](int a, int b) {
    return posterior[a] != posterior[b] ? posterior[a] > posterior[b] : a < b;
  });
  classes.resize(count);
  return classes;
}

/// Of the most probable class, by falling contribution, as the recognition has them.
std::vector<const PrototypeEvidence *> strongest(const Recognition & recognition)
{
  std::vector<const PrototypeEvidence *> result;
  for (const PrototypeEvidence & evidence : recognition.evidence) {
    if (evidence.class_id == recognition.class_id) {
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
  const Recognition & recognition, const PrototypeEvidence & evidence)
{
  const SeenRegion & seen = recognition.seen;
  mgproto_ros::msg::PrototypeEvidence message;
  message.prototype = evidence.prototype;
  message.class_id = evidence.class_id;
  message.prior = share(evidence.prior);
  message.log_likelihood = number(evidence.log_likelihood);
  message.likelihood = std::exp(message.log_likelihood);
  message.contribution = share(evidence.contribution);
  message.x = cell_centre(seen.x, seen.width, evidence.col, recognition.map_cols);
  message.y = cell_centre(seen.y, seen.height, evidence.row, recognition.map_rows);
  message.box = region_message(evidence.box);
  return message;
}

/// Without likelihoods if the map is not of the size that the recognition says.
mgproto_ros::msg::EvidenceMap map_message(
  const Recognition & recognition, const PrototypeEvidence & evidence)
{
  mgproto_ros::msg::EvidenceMap message;
  message.prototype = evidence.prototype;
  message.class_id = evidence.class_id;
  message.contribution = share(evidence.contribution);
  message.x = number(recognition.seen.x);
  message.y = number(recognition.seen.y);
  message.width = number(recognition.seen.width);
  message.height = number(recognition.seen.height);
  const std::int64_t cells = std::int64_t{recognition.map_rows} * recognition.map_cols;
  if (recognition.map_rows > 0 && cells == static_cast<std::int64_t>(evidence.map.size())) {
    message.rows = static_cast<std::uint32_t>(recognition.map_rows);
    message.cols = static_cast<std::uint32_t>(recognition.map_cols);
    message.likelihood.reserve(evidence.map.size());
    for (const float likelihood : evidence.map) {
      message.likelihood.push_back(static_cast<float>(number(likelihood)));
    }
  }
  return message;
}

std::vector<vision_msgs::msg::ObjectHypothesis> hypotheses(const RegionAnswer & region, int top_k)
{
  std::vector<vision_msgs::msg::ObjectHypothesis> results;
  if (region.recognition.verdict != Verdict::known || region.unknown) {
    return results;
  }
  for (const int class_id : top_classes(region.recognition, top_k)) {
    vision_msgs::msg::ObjectHypothesis hypothesis;
    hypothesis.class_id = std::to_string(class_id);
    hypothesis.score = share(value_of(region.recognition.posterior, class_id));
    results.push_back(std::move(hypothesis));
  }
  return results;
}

}  // namespace

Prediction prediction_message(const Answer & answer, const RegionAnswer & region)
{
  const Recognition & recognition = region.recognition;
  Prediction message;
  message.header = header_message(answer.header);
  message.status = status(recognition.verdict);
  message.reason = region.reason;
  message.class_id = recognition.class_id;
  message.class_name = class_name(answer, recognition.class_id);
  message.posterior = share(value_of(recognition.posterior, recognition.class_id));
  message.log_likelihood = number(value_of(recognition.log_likelihood, recognition.class_id));
  message.log_density = number(recognition.log_density);
  message.threshold = number(region.threshold);
  message.typicality = share(recognition.typicality.value_or(NAN));
  message.region = region_message(region.region);
  message.detection_id = region.detection_id;
  for (const int class_id : top_classes(recognition, answer.top_k)) {
    mgproto_ros::msg::ClassScore score;
    score.class_id = class_id;
    score.class_name = class_name(answer, class_id);
    score.posterior = share(value_of(recognition.posterior, class_id));
    score.log_likelihood = number(value_of(recognition.log_likelihood, class_id));
    message.scores.push_back(std::move(score));
  }
  for (const PrototypeEvidence * evidence : strongest(recognition)) {
    message.evidence.push_back(prototype_message(recognition, *evidence));
  }
  message.model_id = model_id(answer);
  return message;
}

mgproto_ros::msg::OodFlag ood_message(const Answer & answer, const RegionAnswer & region)
{
  mgproto_ros::msg::OodFlag message;
  message.header = header_message(answer.header);
  message.unknown = region.unknown;
  message.reason = region.unknown_reason;
  message.log_density = number(region.recognition.log_density);
  message.threshold = number(region.threshold);
  message.typicality = share(region.recognition.typicality.value_or(NAN));
  message.region = region_message(region.region);
  message.detection_id = region.detection_id;
  message.model_id = model_id(answer);
  return message;
}

mgproto_ros::msg::EvidenceMaps evidence_message(const Answer & answer, const RegionAnswer & region)
{
  mgproto_ros::msg::EvidenceMaps message;
  message.header = header_message(answer.header);
  message.region = region_message(region.region);
  message.detection_id = region.detection_id;
  for (const PrototypeEvidence * evidence : strongest(region.recognition)) {
    message.maps.push_back(map_message(region.recognition, *evidence));
  }
  message.model_id = model_id(answer);
  return message;
}

vision_msgs::msg::Classification classification_message(
  const Answer & answer, const RegionAnswer & region)
{
  vision_msgs::msg::Classification message;
  message.header = header_message(answer.header);
  message.results = hypotheses(region, answer.top_k);
  return message;
}

vision_msgs::msg::Detection2DArray detections_message(const Answer & answer)
{
  vision_msgs::msg::Detection2DArray message;
  message.header = header_message(answer.header);
  for (const RegionAnswer & region : answer.regions) {
    vision_msgs::msg::Detection2D detection;
    detection.header = message.header;
    detection.id = region.detection_id;
    detection.bbox.center.position.x = region.region.x + region.region.width / 2.0;
    detection.bbox.center.position.y = region.region.y + region.region.height / 2.0;
    detection.bbox.size_x = region.region.width;
    detection.bbox.size_y = region.region.height;
    for (auto & hypothesis : hypotheses(region, answer.top_k)) {
      detection.results.emplace_back();
      detection.results.back().hypothesis = std::move(hypothesis);
    }
    message.detections.push_back(std::move(detection));
  }
  return message;
}

}  // namespace mgproto::messages
