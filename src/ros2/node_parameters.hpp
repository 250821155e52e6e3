// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__NODE_PARAMETERS_HPP_
#define ROS2__NODE_PARAMETERS_HPP_

#include <rclcpp/rclcpp.hpp>
#include <vector>

#include "perception/settings.hpp"

namespace mgproto_ros
{

/// Declares every parameter of perception::parameters() with its description and range, fixed ones
/// as read-only. Throws ConfigError unless a node can start with the values that it was given.
mgproto::perception::Settings declare_settings(rclcpp::Node & node);

/// All or nothing, while the node runs. Parameters that are not in the table are others' business:
/// of rclcpp, or of an image_transport plugin. Throws ConfigError.
mgproto::perception::Settings with_parameters(
  const mgproto::perception::Settings & settings,
  const std::vector<rclcpp::Parameter> & parameters);

/// Once everything is declared: tells of values for parameters that nobody has, which are most
/// likely misspelt.
void warn_of_unknown_parameters(rclcpp::Node & node);

}  // namespace mgproto_ros

#endif  // ROS2__NODE_PARAMETERS_HPP_
