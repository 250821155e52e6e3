// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "ros2/node_outputs.hpp"

#include <memory>
#include <utility>

#include "messages/answer_messages.hpp"
#include "messages/diagnostics_messages.hpp"
#include "messages/image_output.hpp"
#include "messages/model_messages.hpp"
#include "perception/topics.hpp"
#include "ros2/distribution.hpp"
#include "ros2/image_topic.hpp"

namespace mgproto_ros
{
namespace
{

namespace messages = mgproto::messages;
namespace perception = mgproto::perception;
namespace topics = mgproto::perception::topics;
using mgproto::perception::camera_topic;

/// By which a viewer of /diagnostics knows these from the robot's others.
constexpr const char * kHardwareId = "mgproto";

rclcpp::PublisherOptions overridable()
{
  rclcpp::PublisherOptions options;
  options.qos_overriding_options = rclcpp::QosOverridingOptions::with_default_policies();
  return options;
}

template <class Message>
typename rclcpp::Publisher<Message>::SharedPtr results(
  rclcpp::Node & node, const std::string & topic)
{
  return node.create_publisher<Message>(topic, rclcpp::QoS(10).reliable(), overridable());
}

template <class Message>
typename rclcpp::Publisher<Message>::SharedPtr latched(
  rclcpp::Node & node, const std::string & topic)
{
  rclcpp::PublisherOptions options = overridable();
  // Not every distribution keeps messages for late joiners in the same process.
  options.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  return node.create_publisher<Message>(
    topic, rclcpp::QoS(1).reliable().transient_local(), options);
}

/// Moved all the way to a subscription in the same process.
template <class Message>
void send(rclcpp::Publisher<Message> & publisher, Message message)
{
  publisher.publish(std::make_unique<Message>(std::move(message)));
}

}  // namespace

NodeOutputs::CameraPublishers::CameraPublishers(rclcpp::Node & node, const std::string & camera)
: prediction(
    results<mgproto_ros::msg::Prediction>(node, camera_topic(camera, topics::kPrediction))),
  ood(results<mgproto_ros::msg::OodFlag>(node, camera_topic(camera, topics::kOod))),
  classification(
    results<vision_msgs::msg::Classification>(node, camera_topic(camera, topics::kClassification))),
  detections(results<vision_msgs::msg::Detection2DArray>(
    node, camera_topic(camera, topics::kDetectionsOut))),
  evidence(results<mgproto_ros::msg::EvidenceMaps>(node, camera_topic(camera, topics::kEvidence))),
  overlay(distribution::create_image_publisher(
    node, image_topic(node, camera_topic(camera, topics::kOverlay)), rclcpp::QoS(1).reliable(),
    overridable()))
{
}

NodeOutputs::NodeOutputs(rclcpp::Node & node, const perception::Settings & settings)
: clock_(node.get_clock()),
  logger_(node.get_logger()),
  node_name_(node.get_fully_qualified_name()),
  gallery_(latched<mgproto_ros::msg::PrototypeGallery>(node, topics::kPrototypes)),
  vision_info_(latched<vision_msgs::msg::VisionInfo>(node, topics::kVisionInfo)),
  label_info_(latched<vision_msgs::msg::LabelInfo>(node, topics::kLabelInfo)),
  diagnostics_(results<diagnostic_msgs::msg::DiagnosticArray>(node, topics::kDiagnostics))
{
  if (settings.cameras.empty()) {
    cameras_.emplace_back(node, "");
  }
  for (const std::string & camera : settings.cameras) {
    cameras_.emplace_back(node, camera);
  }
}

void NodeOutputs::publish_diagnostics(const std::vector<perception::Diagnosis> & diagnosis)
{
  send(*diagnostics_, messages::diagnostics_message(diagnosis, node_name_, kHardwareId, now()));
}

void NodeOutputs::model_changed(const perception::ModelInfo & model)
{
  const perception::Stamp stamp = now();
  gallery_->publish(messages::gallery_message(model, stamp));
  vision_info_->publish(messages::vision_info_message(model, stamp));
  label_info_->publish(messages::label_info_message(model, stamp));
}

void NodeOutputs::publish(const perception::Answer & answer)
{
  const CameraPublishers & camera = cameras_[answer.camera];
  for (const auto & region : answer.regions) {
    send(*camera.prediction, messages::prediction_message(answer, region));
  }
  for (const auto & region : answer.regions) {
    send(*camera.ood, messages::ood_message(answer, region));
  }
  for (const auto & region : answer.regions) {
    if (region.detection_id.empty()) {
      send(*camera.classification, messages::classification_message(answer, region));
    }
  }
  send(*camera.detections, messages::detections_message(answer));
}

bool NodeOutputs::wants_evidence(int camera) const
{
  return cameras_[camera].evidence->get_subscription_count() > 0;
}

bool NodeOutputs::wants_overlay(int camera) const
{
  return cameras_[camera].overlay.getNumSubscribers() > 0;
}

void NodeOutputs::publish_evidence(const perception::Answer & answer)
{
  for (const auto & region : answer.regions) {
    send(*cameras_[answer.camera].evidence, messages::evidence_message(answer, region));
  }
}

void NodeOutputs::publish_overlay(
  int camera, const perception::Header & header, const cv::Mat & bgr)
{
  cameras_[camera].overlay.publish(
    std::make_unique<sensor_msgs::msg::Image>(messages::image_message(header, bgr)));
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
