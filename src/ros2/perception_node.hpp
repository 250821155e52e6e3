// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__PERCEPTION_NODE_HPP_
#define ROS2__PERCEPTION_NODE_HPP_

#include <cstdint>
#include <image_transport/image_transport.hpp>
#include <memory>
#include <mgproto_ros/msg/teach_request.hpp>
#include <mgproto_ros/srv/forget.hpp>
#include <mgproto_ros/srv/load_model.hpp>
#include <mgproto_ros/srv/teach.hpp>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <std_srvs/srv/set_bool.hpp>
#include <std_srvs/srv/trigger.hpp>
#include <string>
#include <vector>
#include <vision_msgs/msg/detection2_d_array.hpp>

#include "messages/image_input.hpp"
#include "perception/command_thread.hpp"
#include "perception/perception.hpp"
#include "ros2/node_outputs.hpp"

namespace mgproto_ros
{

/// Perception as a component of ROS 2. Owns the topics, services and parameters, and with the
/// perception the model and the thread that runs it; what is seen is decided there, not here. No
/// callback waits for the model: images are handed over, and the services answer from a thread of
/// their own.
class PerceptionNode : public rclcpp::Node
{
public:
  /// Loads and warms up the model. Throws, with the path or the parameter and the cause, if it
  /// cannot; a container then reports that and lives on.
  explicit PerceptionNode(const rclcpp::NodeOptions & options);
  /// Finishes the image and the service call in work; waits for callbacks that run.
  ~PerceptionNode() override;

private:
  using Detections = vision_msgs::msg::Detection2DArray;
  using Forget = mgproto_ros::srv::Forget;
  using LoadModel = mgproto_ros::srv::LoadModel;
  using SetBool = std_srvs::srv::SetBool;
  using Teach = mgproto_ros::srv::Teach;
  using TeachRequest = mgproto_ros::msg::TeachRequest;
  using Trigger = std_srvs::srv::Trigger;

  void listen(int camera, const std::string & name);
  void take_image(int camera, const sensor_msgs::msg::Image::ConstSharedPtr & image);

  /// A service whose answer may take seconds.
  template <class Service>
  typename rclcpp::Service<Service>::SharedPtr create_slow_service(
    const std::string & name, void (PerceptionNode::*answer)(
                                const typename Service::Request &, typename Service::Response &));
  void load_model(const LoadModel::Request & request, LoadModel::Response & response);
  void set_enabled(const SetBool::Request & request, SetBool::Response & response);
  void teach(const Teach::Request & request, Teach::Response & response);
  void forget(const Forget::Request & request, Forget::Response & response);
  void undo(const Trigger::Request & request, Trigger::Response & response);
  void take_request(const TeachRequest::ConstSharedPtr & request);

  void diagnose_every(double period);
  void publish_album();
  rcl_interfaces::msg::SetParametersResult check(
    const std::vector<rclcpp::Parameter> & parameters) const;
  void apply(const std::vector<rclcpp::Parameter> & parameters);

  // In the order of construction: what comes later uses what comes earlier, and ends before it.
  const mgproto::perception::Settings initial_settings_;
  const mgproto::messages::ImageRules rules_;
  NodeOutputs outputs_;
  mgproto::perception::Perception perception_;
  mgproto::perception::CommandThread commands_;
  std::vector<image_transport::Subscriber> images_;
  std::vector<rclcpp::Subscription<Detections>::SharedPtr> detections_;
  rclcpp::Service<LoadModel>::SharedPtr load_model_;
  rclcpp::Service<SetBool>::SharedPtr set_enabled_;
  rclcpp::Service<Teach>::SharedPtr teach_;
  rclcpp::Service<Forget>::SharedPtr forget_;
  rclcpp::Service<Trigger>::SharedPtr undo_;
  rclcpp::Subscription<TeachRequest>::SharedPtr requests_;
  rclcpp::TimerBase::SharedPtr diagnostics_timer_;
  rclcpp::TimerBase::SharedPtr album_timer_;
  std::optional<std::uint64_t> album_version_;  // that was published
  std::shared_ptr<void> applying_parameters_;
  OnSetParametersCallbackHandle::SharedPtr checking_parameters_;
};

}  // namespace mgproto_ros

#endif  // ROS2__PERCEPTION_NODE_HPP_
