// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__PERCEPTION_SERVER_HPP_
#define ROS2__PERCEPTION_SERVER_HPP_

#include <cstdint>
#include <functional>
#include <image_transport/image_transport.hpp>
#include <memory>
#include <mgproto_ros/msg/teach_request.hpp>
#include <mgproto_ros/srv/forget.hpp>
#include <mgproto_ros/srv/load_model.hpp>
#include <mgproto_ros/srv/teach.hpp>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/camera_info.hpp>
#include <sensor_msgs/msg/compressed_image.hpp>
#include <sensor_msgs/msg/image.hpp>
#include <std_srvs/srv/set_bool.hpp>
#include <std_srvs/srv/trigger.hpp>
#include <string>
#include <vector>
#include <vision_msgs/msg/detection2_d_array.hpp>

#include "messages/image_input.hpp"
#include "perception/command_thread.hpp"
#include "perception/perception.hpp"
#include "ros2/node_handle.hpp"
#include "ros2/node_outputs.hpp"

namespace mgproto_ros
{

class SignalsElsewhere;

/// Perception at a node of ROS 2, plain or managed. Owns the topics and services, and with the
/// perception the model and the thread that runs it; what is seen is decided there, not here. No
/// callback waits for the model: images are handed over, and the services answer from a thread of
/// their own.
class PerceptionServer
{
public:
  /// Loads and warms up the model. Throws, with the path or the parameter and the cause, if it cannot.
  /// `plain` is the node where it is an rclcpp::Node: image_transport takes no other one.
  PerceptionServer(
    const NodeHandle & node, rclcpp::Node * plain, const mgproto::perception::Settings & settings,
    bool active);
  /// Finishes the image and the service call in work. No callback of the node may run.
  ~PerceptionServer();

  /// Inactive, images are not answered; once it returns, none will be.
  void set_active(bool active);

  /// Throws ConfigError for what cannot be set while it runs.
  void check(const std::vector<rclcpp::Parameter> & parameters) const;
  void apply(const std::vector<rclcpp::Parameter> & parameters);

private:
  using CameraInfo = sensor_msgs::msg::CameraInfo;
  using CompressedImage = sensor_msgs::msg::CompressedImage;
  using Detections = vision_msgs::msg::Detection2DArray;
  using Forget = mgproto_ros::srv::Forget;
  using Image = sensor_msgs::msg::Image;
  using LoadModel = mgproto_ros::srv::LoadModel;
  using SetBool = std_srvs::srv::SetBool;
  using Teach = mgproto_ros::srv::Teach;
  using TeachRequest = mgproto_ros::msg::TeachRequest;
  using Trigger = std_srvs::srv::Trigger;

  PerceptionServer(
    const SignalsElsewhere & while_loading, const NodeHandle & node, rclcpp::Node * plain,
    const mgproto::perception::Settings & settings, bool active);

  void listen(int camera, const std::string & name, rclcpp::Node * plain);
  void listen_to_depth(
    int camera, const std::string & name, const rclcpp::SubscriptionOptions & options);
  template <class Message>
  void subscribe_to_images(
    int camera, const std::string & topic, const rclcpp::QoS & qos,
    const rclcpp::SubscriptionOptions & options);
  void subscribe_by_plugin(
    int camera, const std::string & topic, const rclcpp::QoS & qos,
    const rclcpp::SubscriptionOptions & options, rclcpp::Node * plain);
  template <class Message>
  void take_image(int camera, const std::shared_ptr<const Message> & image);
  mgproto::perception::CameraImage readable(const Image::ConstSharedPtr & image) const;
  mgproto::perception::CameraImage readable(const CompressedImage::ConstSharedPtr & image) const;

  /// A service whose answer may take seconds.
  template <class Service>
  typename rclcpp::Service<Service>::SharedPtr create_slow_service(
    const std::string & name, void (PerceptionServer::*answer)(
                                const typename Service::Request &, typename Service::Response &));
  void load_model(const LoadModel::Request & request, LoadModel::Response & response);
  void set_enabled(const SetBool::Request & request, SetBool::Response & response);
  void teach(const Teach::Request & request, Teach::Response & response);
  void forget(const Forget::Request & request, Forget::Response & response);
  void undo(const Trigger::Request & request, Trigger::Response & response);
  void take_request(const TeachRequest::ConstSharedPtr & request);

  /// For a callback: an executor may have taken it before a transition in the same group ended this,
  /// and call it afterwards.
  template <class... Arguments, class Work>
  std::function<void(Arguments...)> while_here(Work work) const;
  rclcpp::TimerBase::SharedPtr create_timer(double period, const std::function<void()> & callback);
  void diagnose_every(double period);
  void publish_album();

  const std::shared_ptr<const bool> here_ = std::make_shared<const bool>(true);
  // In the order of construction: what comes later uses what comes earlier, and ends before it.
  NodeHandle node_;
  const mgproto::perception::Settings initial_settings_;
  const mgproto::messages::ImageRules rules_;
  NodeOutputs outputs_;
  mgproto::perception::Perception perception_;
  mgproto::perception::CommandThread commands_;
  std::vector<image_transport::Subscriber> images_by_plugin_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  rclcpp::Service<LoadModel>::SharedPtr load_model_;
  rclcpp::Service<SetBool>::SharedPtr set_enabled_;
  rclcpp::Service<Teach>::SharedPtr teach_;
  rclcpp::Service<Forget>::SharedPtr forget_;
  rclcpp::Service<Trigger>::SharedPtr undo_;
  rclcpp::TimerBase::SharedPtr diagnostics_timer_;
  rclcpp::TimerBase::SharedPtr album_timer_;
  std::optional<std::uint64_t> album_version_;  // that was published
};

}  // namespace mgproto_ros

#endif  // ROS2__PERCEPTION_SERVER_HPP_
