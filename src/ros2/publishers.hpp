// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__PUBLISHERS_HPP_
#define ROS2__PUBLISHERS_HPP_

#include <cstddef>
#include <rclcpp/rclcpp.hpp>
#include <string>

#include "ros2/node_handle.hpp"

namespace mgproto_ros
{

/// For `qos_overrides`.
inline rclcpp::PublisherOptions overridable()
{
  rclcpp::PublisherOptions options;
  options.qos_overriding_options = rclcpp::QosOverridingOptions::with_default_policies();
  return options;
}

template <class Message>
typename rclcpp::Publisher<Message>::SharedPtr results(
  NodeHandle & node, const std::string & topic, std::size_t depth = 10)
{
  return rclcpp::create_publisher<Message>(
    node, topic, rclcpp::QoS(depth).reliable(), overridable());
}

/// For whoever comes later, too.
template <class Message>
typename rclcpp::Publisher<Message>::SharedPtr latched(NodeHandle & node, const std::string & topic)
{
  rclcpp::PublisherOptions options = overridable();
  // Not every distribution keeps messages for late joiners in the same process.
  options.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  return rclcpp::create_publisher<Message>(
    node, topic, rclcpp::QoS(1).reliable().transient_local(), options);
}

}  // namespace mgproto_ros

#endif  // ROS2__PUBLISHERS_HPP_
