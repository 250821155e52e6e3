// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "ros2/node_outputs.hpp"

#include <cstddef>
#include <memory>
#include <utility>

#include "messages/diagnostics_messages.hpp"
#include "messages/header.hpp"
#include "messages/image_output.hpp"
#include "messages/publish.hpp"
#include "messages/teach_messages.hpp"
#include "perception/topics.hpp"
#include "ros2/publishers.hpp"

namespace mgproto_ros
{
namespace
{

namespace messages = mgproto::messages;
namespace perception = mgproto::perception;
namespace topics = mgproto::perception::topics;
using mgproto::perception::camera_topic;

/// Moved all the way to a subscription in the same process.
constexpr auto send = [](const auto & publisher, auto message) {
  publisher->publish(std::make_unique<decltype(message)>(std::move(message)));
};

}  // namespace

NodeOutputs::PositionPublishers::PositionPublishers(NodeHandle & node, const std::string & camera)
: detections_3d(
    results<vision_msgs::msg::Detection3DArray>(node, camera_topic(camera, topics::kDetections3d))),
  markers(
    results<visualization_msgs::msg::MarkerArray>(node, camera_topic(camera, topics::kMarkers))),
  ns(camera.empty() ? node.get_node_base_interface()->get_name() : camera)
{
}

NodeOutputs::CameraPublishers::CameraPublishers(
  NodeHandle & node, const std::string & camera, bool use_depth)
: prediction(
    results<mgproto_ros::msg::Prediction>(node, camera_topic(camera, topics::kPrediction))),
  ood(results<mgproto_ros::msg::OodFlag>(node, camera_topic(camera, topics::kOod))),
  classification(
    results<vision_msgs::msg::Classification>(node, camera_topic(camera, topics::kClassification))),
  detections(results<vision_msgs::msg::Detection2DArray>(
    node, camera_topic(camera, topics::kDetectionsOut))),
  evidence(results<mgproto_ros::msg::EvidenceMaps>(node, camera_topic(camera, topics::kEvidence))),
  overlay(results<sensor_msgs::msg::Image>(node, camera_topic(camera, topics::kOverlay), 1)),
  overlay_compressed(results<sensor_msgs::msg::CompressedImage>(
    node, node.resolved(camera_topic(camera, topics::kOverlay)) + topics::kCompressed, 1))
{
  if (use_depth) {
    positions.emplace(node, camera);
  }
}

NodeOutputs::ModelPublishers::ModelPublishers(NodeHandle & node)
: prototypes(latched<mgproto_ros::msg::PrototypeGallery>(node, topics::kPrototypes)),
  vision_info(latched<vision_msgs::msg::VisionInfo>(node, topics::kVisionInfo)),
  label_info(latched<vision_msgs::msg::LabelInfo>(node, topics::kLabelInfo)),
  album(latched<mgproto_ros::msg::Album>(node, topics::kAlbum)),
  taught(results<mgproto_ros::msg::TeachAnswer>(node, topics::kTaught))
{
}

NodeOutputs::NodeOutputs(NodeHandle & node, const perception::Settings & settings)
: clock_(node.clock()),
  logger_(node.logger()),
  node_name_(node.name()),
  model_(node),
  diagnostics_(results<diagnostic_msgs::msg::DiagnosticArray>(node, topics::kDiagnostics))
{
  for (const std::string & camera : perception::camera_names(settings)) {
    cameras_.emplace_back(node, camera, settings.use_depth);
  }
}

void NodeOutputs::publish_diagnostics(const std::vector<perception::Diagnosis> & diagnosis)
{
  send(diagnostics_, messages::diagnostics_message(diagnosis, node_name_, now()));
}

void NodeOutputs::publish_album(const perception::AlbumState & album, const std::string & model_id)
{
  send(model_.album, messages::album_message(album, model_id, now()));
}

void NodeOutputs::publish_answer(mgproto_ros::msg::TeachAnswer answer)
{
  answer.header.stamp = messages::time_message(now());
  send(model_.taught, answer);
}

void NodeOutputs::model_changed(const perception::ModelInfo & model)
{
  messages::publish_model(model, now(), model_, send);
}

void NodeOutputs::publish(const perception::FramePrediction & prediction)
{
  const CameraPublishers & camera = cameras_[prediction.camera];
  messages::publish_prediction(prediction, camera, send);
  if (camera.positions) {
    const PositionPublishers & positions = *camera.positions;
    messages::publish_positions(
      prediction, positions.ns, positions.markers->get_subscription_count() > 0, positions, send);
  }
}

bool NodeOutputs::wants_evidence(int camera) const
{
  return cameras_[camera].evidence->get_subscription_count() > 0;
}

bool NodeOutputs::wants_overlay(int camera) const
{
  return cameras_[camera].overlay->get_subscription_count() > 0 ||
         cameras_[camera].overlay_compressed->get_subscription_count() > 0;
}

void NodeOutputs::publish_evidence(const perception::FramePrediction & prediction)
{
  messages::publish_evidence(prediction, cameras_[prediction.camera], send);
}

void NodeOutputs::publish_overlay(
  int camera, const perception::Header & header, const cv::Mat & bgr)
{
  const CameraPublishers & publishers = cameras_[camera];
  if (publishers.overlay->get_subscription_count() > 0) {
    send(publishers.overlay, messages::image_message(header, bgr));
  }
  if (publishers.overlay_compressed->get_subscription_count() > 0) {
    send(publishers.overlay_compressed, messages::compressed_image_message(header, bgr));
  }
}

void NodeOutputs::log(perception::LogLevel level, const std::string & text)
{
  switch (level) {
    case perception::LogLevel::info:
      RCLCPP_INFO(logger_, "%s", text.c_str());
      break;
    case perception::LogLevel::warn:
      RCLCPP_WARN(logger_, "%s", text.c_str());
      break;
    case perception::LogLevel::error:
      RCLCPP_ERROR(logger_, "%s", text.c_str());
      break;
  }
}

perception::Stamp NodeOutputs::now() const
{
  const builtin_interfaces::msg::Time time = clock_->now();
  return {time.sec, time.nanosec};
}

}  // namespace mgproto_ros
