// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__NODE_PARAMETERS_HPP_
#define ROS2__NODE_PARAMETERS_HPP_

#include <functional>
#include <rclcpp/rclcpp.hpp>
#include <vector>

#include "perception/settings.hpp"
#include "ros2/node_handle.hpp"

namespace mgproto_ros
{

/// Declares every parameter of perception::parameters() with its description and range, those that are
/// fixed while the node runs as read-only where it runs from its beginning to its end. Throws
/// ConfigError for a value that is not allowed.
void declare_perception_parameters(const NodeHandle & node, bool runs_always);

/// What they say. Throws ConfigError unless a node can start with it.
mgproto::perception::Settings settings_of(const NodeHandle & node);

/// All or nothing; while it runs, fixed ones are refused. Parameters that are not in the table are
/// others' business: of rclcpp, or of an image_transport plugin. Throws ConfigError.
mgproto::perception::Settings with_parameters(
  const mgproto::perception::Settings & settings, const std::vector<rclcpp::Parameter> & parameters,
  bool running);

/// What a callback that checks parameters returns, if `check` says what is wrong by a ConfigError.
rcl_interfaces::msg::SetParametersResult result_of(const std::function<void()> & check);

/// Once everything is declared: tells of values for parameters that nobody has, which are most
/// likely misspelt.
void warn_of_unknown_parameters(const NodeHandle & node);

}  // namespace mgproto_ros

#endif  // ROS2__NODE_PARAMETERS_HPP_
