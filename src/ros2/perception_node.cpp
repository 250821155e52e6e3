// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "ros2/perception_node.hpp"

#include <rclcpp_components/register_node_macro.hpp>
#include <vector>

#include "ros2/callbacks.hpp"
#include "ros2/distribution.hpp"
#include "ros2/node_parameters.hpp"

namespace mgproto_ros
{
namespace
{

using mgproto::perception::Settings;

Settings declared_settings(const NodeHandle & node)
{
  declare_parameters_of<Settings>(node, true);
  return settings_of<Settings>(node);
}

}  // namespace

PerceptionNode::PerceptionNode(const rclcpp::NodeOptions & options)
: Node("mgproto", options),
  server_(NodeHandle(*this), this, declared_settings(NodeHandle(*this)), true)
{
  const NodeHandle node(*this);
  applying_parameters_ = distribution::after_setting_parameters(
    node, [this](const std::vector<rclcpp::Parameter> & parameters) { server_.apply(parameters); });
  checking_parameters_ =
    add_on_set_parameters_callback([this](const std::vector<rclcpp::Parameter> & parameters) {
      return result_of([&] { server_.check(parameters); });
    });
  warn_of_unknown_parameters<Settings>(node);
}

PerceptionNode::~PerceptionNode() { end_callbacks(NodeHandle(*this)); }

}  // namespace mgproto_ros

RCLCPP_COMPONENTS_REGISTER_NODE(mgproto_ros::PerceptionNode)
