// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/position_messages.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>
#include <utility>

#include "messages/header.hpp"
#include "messages/prediction_messages.hpp"
#include "model/number_text.hpp"
#include "visual/palette.hpp"

namespace mgproto::messages
{
namespace
{

using perception::FramePrediction;
using perception::Position;
using perception::RegionPrediction;
using visualization_msgs::msg::Marker;

constexpr int kLifetime = 2;        // seconds
constexpr double kThinnest = 0.01;  // metres, of a marker's box
/// Metres of text per metre of distance, so that all look equally high to the camera.
constexpr double kTextHeight = 0.025;
constexpr float kBoxOpacity = 0.5f;

geometry_msgs::msg::Pose pose_of(const Position & position)
{
  geometry_msgs::msg::Pose pose;
  pose.position.x = position.x;
  pose.position.y = position.y;
  pose.position.z = position.z;
  return pose;
}

/// How it is turned nobody knows: any angle is as likely as another.
geometry_msgs::msg::PoseWithCovariance pose_with_covariance(const Position & position)
{
  geometry_msgs::msg::PoseWithCovariance pose;
  pose.pose = pose_of(position);
  pose.covariance.fill(0);
  for (int row = 0; row < 3; ++row) {
    for (int col = 0; col < 3; ++col) {
      pose.covariance[6 * row + col] = position.covariance[3 * row + col];
    }
    pose.covariance[7 * (row + 3)] = CV_PI * CV_PI / 3;
  }
  return pose;
}

vision_msgs::msg::Detection3D detection_message(
  const FramePrediction & frame, const RegionPrediction & region)
{
  const Position & position = *region.position;
  vision_msgs::msg::Detection3D detection;
  detection.header = header_message(frame.header);
  detection.id = region.detection_id;
  detection.bbox.center = pose_of(position);
  detection.bbox.size.x = position.width;
  detection.bbox.size.y = position.height;
  detection.bbox.size.z = position.thickness;
  auto answers = hypotheses(region, frame.top_k);
  if (answers.empty()) {
    answers.emplace_back();
    answers.back().class_id = kUnknownClass;
    answers.back().score = 1;
  }
  for (auto & answer : answers) {
    detection.results.emplace_back();
    detection.results.back().hypothesis = std::move(answer);
    detection.results.back().pose = pose_with_covariance(position);
  }
  return detection;
}

std_msgs::msg::ColorRGBA colour_message(const cv::Scalar & bgr, float opacity)
{
  std_msgs::msg::ColorRGBA message;
  message.r = static_cast<float>(bgr[2] / 255);
  message.g = static_cast<float>(bgr[1] / 255);
  message.b = static_cast<float>(bgr[0] / 255);
  message.a = opacity;
  return message;
}

/// What is to be acted on: known only if the flag over time agrees.
Verdict verdict_of(const RegionPrediction & region)
{
  const Verdict verdict = region.prediction.verdict;
  return verdict == Verdict::known && region.unknown ? Verdict::unknown : verdict;
}

/// "KNOWN tomato 0.93".
std::string words_of(const FramePrediction & frame, const RegionPrediction & region)
{
  const Prediction & prediction = region.prediction;
  switch (verdict_of(region)) {
    case Verdict::unknown:
      return "UNKNOWN";
    case Verdict::uncalibrated:
      return "UNCALIBRATED";
    case Verdict::known:
      break;
  }
  const auto best = static_cast<std::size_t>(prediction.class_id);
  const bool named = frame.model && prediction.class_id >= 0 &&
                     best < frame.model->manifest.classes.size() &&
                     best < prediction.posterior.size();
  if (!named) {
    return "KNOWN";
  }
  const double share = prediction.posterior[best];
  return "KNOWN " + frame.model->manifest.classes[best] +
         (std::isfinite(share) ? " " + fixed(share, 2) : "");
}

Marker marker(const FramePrediction & frame, const std::string & ns, int id, int type)
{
  Marker message;
  message.header = header_message(frame.header);
  message.ns = ns;
  message.id = id;
  message.type = type;
  message.action = Marker::ADD;
  message.lifetime.sec = kLifetime;
  return message;
}

}  // namespace

vision_msgs::msg::Detection3DArray detections_3d_message(const FramePrediction & frame)
{
  vision_msgs::msg::Detection3DArray message;
  message.header = header_message(frame.header);
  for (const RegionPrediction & region : frame.regions) {
    if (region.position) {
      message.detections.push_back(detection_message(frame, region));
    }
  }
  return message;
}

visualization_msgs::msg::MarkerArray markers_message(
  const FramePrediction & frame, const std::string & ns)
{
  visualization_msgs::msg::MarkerArray message;
  message.markers.push_back(marker(frame, ns, 0, Marker::CUBE));
  message.markers.back().action = Marker::DELETEALL;
  int id = -1;
  for (const RegionPrediction & region : frame.regions) {
    id += 2;
    if (!region.position) {
      continue;
    }
    const Position & position = *region.position;
    Marker box = marker(frame, ns, id - 1, Marker::CUBE);
    box.pose = pose_of(position);
    box.scale.x = std::max(position.width, kThinnest);
    box.scale.y = std::max(position.height, kThinnest);
    box.scale.z = std::max(position.thickness, kThinnest);
    box.color = colour_message(visual::verdict_colour(verdict_of(region)), kBoxOpacity);

    Marker words = marker(frame, ns, id, Marker::TEXT_VIEW_FACING);
    words.pose = box.pose;
    words.scale.z = std::max(kTextHeight * position.z, kThinnest);
    words.pose.position.y -= box.scale.y / 2 + words.scale.z;  // y is down
    words.color = colour_message(visual::kPaper, 1);
    words.text = words_of(frame, region);
    message.markers.push_back(std::move(box));
    message.markers.push_back(std::move(words));
  }
  return message;
}

}  // namespace mgproto::messages
