// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__NODE_HANDLE_HPP_
#define ROS2__NODE_HANDLE_HPP_

#include <rclcpp/rclcpp.hpp>
#include <string>

namespace mgproto_ros
{

/// What a plain node and a managed one have in common, which have no class in common. Good as the
/// node of rclcpp::create_publisher() and its like. Keeps the parts alive, but not the node.
class NodeHandle
{
public:
  template <class Node>
  explicit NodeHandle(Node & node)
  : base_(node.get_node_base_interface()),
    clock_(node.get_node_clock_interface()),
    logging_(node.get_node_logging_interface()),
    parameters_(node.get_node_parameters_interface()),
    services_(node.get_node_services_interface()),
    timers_(node.get_node_timers_interface()),
    topics_(node.get_node_topics_interface())
  {
  }

  auto get_node_base_interface() const { return base_; }
  auto get_node_parameters_interface() const { return parameters_; }
  auto get_node_services_interface() const { return services_; }
  auto get_node_timers_interface() const { return timers_; }
  auto get_node_topics_interface() const { return topics_; }

  rclcpp::Clock::SharedPtr clock() const { return clock_->get_clock(); }
  rclcpp::Logger logger() const { return logging_->get_logger(); }
  std::string name() const { return base_->get_fully_qualified_name(); }
  /// What a name has become by remapping.
  std::string resolved(const std::string & topic) const
  {
    return topics_->resolve_topic_name(topic);
  }

private:
  rclcpp::node_interfaces::NodeBaseInterface::SharedPtr base_;
  rclcpp::node_interfaces::NodeClockInterface::SharedPtr clock_;
  rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr logging_;
  rclcpp::node_interfaces::NodeParametersInterface::SharedPtr parameters_;
  rclcpp::node_interfaces::NodeServicesInterface::SharedPtr services_;
  rclcpp::node_interfaces::NodeTimersInterface::SharedPtr timers_;
  rclcpp::node_interfaces::NodeTopicsInterface::SharedPtr topics_;
};

}  // namespace mgproto_ros

#endif  // ROS2__NODE_HANDLE_HPP_
