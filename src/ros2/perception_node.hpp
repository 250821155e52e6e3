// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__PERCEPTION_NODE_HPP_
#define ROS2__PERCEPTION_NODE_HPP_

#include <memory>
#include <rclcpp/rclcpp.hpp>

#include "ros2/perception_server.hpp"

namespace mgproto_ros
{

/// Perception as a component of ROS 2 that answers as long as it lives.
class PerceptionNode : public rclcpp::Node
{
public:
  /// Loads and warms up the model. Throws, with the path or the parameter and the cause, if it
  /// cannot; a container then reports that and lives on.
  explicit PerceptionNode(const rclcpp::NodeOptions & options);
  /// Finishes the image and the service call in work; waits for callbacks that run.
  ~PerceptionNode() override;

private:
  PerceptionServer server_;
  // End before the server.
  std::shared_ptr<void> applying_parameters_;
  OnSetParametersCallbackHandle::SharedPtr checking_parameters_;
};

}  // namespace mgproto_ros

#endif  // ROS2__PERCEPTION_NODE_HPP_
