// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__NODE_PARAMETERS_HPP_
#define ROS2__NODE_PARAMETERS_HPP_

#include <functional>
#include <rclcpp/rclcpp.hpp>
#include <vector>

#include "perception/gate_settings.hpp"
#include "perception/settings.hpp"
#include "ros2/node_handle.hpp"

namespace mgproto_ros
{

// For nodes of each kind: S are the settings of one.

/// Declares every parameter of perception::parameters() with its description and range, those that are
/// fixed while the node runs as read-only where it runs from its beginning to its end. Throws
/// ConfigError for a value that is not allowed.
template <class S>
void declare_parameters_of(const NodeHandle & node, bool runs_always);

/// What they say. Throws ConfigError unless a node can start with it.
template <class S>
S settings_of(const NodeHandle & node);

/// All or nothing; while it runs, fixed ones are refused. Parameters that are not in the table are
/// others' business: of rclcpp, or of an image_transport plugin. Throws ConfigError.
template <class S>
S with_parameters(
  const S & settings, const std::vector<rclcpp::Parameter> & parameters, bool running);

/// Once everything is declared: tells of values for parameters that nobody has, which are most
/// likely misspelt.
template <class S>
void warn_of_unknown_parameters(const NodeHandle & node);

/// What a callback that checks parameters returns, if `check` says what is wrong by a ConfigError.
rcl_interfaces::msg::SetParametersResult result_of(const std::function<void()> & check);

}  // namespace mgproto_ros

#endif  // ROS2__NODE_PARAMETERS_HPP_
