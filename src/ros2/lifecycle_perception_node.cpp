// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "ros2/lifecycle_perception_node.hpp"

#include <exception>
#include <lifecycle_msgs/msg/state.hpp>
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

constexpr const char * kAutostart = "autostart";

bool declare_autostart(rclcpp_lifecycle::LifecycleNode & node)
{
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description =
    "Configures and activates itself when it is made; false = waits for a lifecycle manager.";
  descriptor.read_only = true;
  return node.declare_parameter(kAutostart, true, descriptor);
}

}  // namespace

LifecyclePerceptionNode::LifecyclePerceptionNode(const rclcpp::NodeOptions & options)
: LifecycleNode("mgproto", options)
{
  const NodeHandle node(*this);
  declare_parameters_of<Settings>(node, false);
  const bool autostart = declare_autostart(*this);
  applying_parameters_ = distribution::after_setting_parameters(
    node, [this](const std::vector<rclcpp::Parameter> & parameters) {
      if (server_) {
        server_->apply(parameters);
      }
    });
  checking_parameters_ =
    add_on_set_parameters_callback([this](const std::vector<rclcpp::Parameter> & parameters) {
      return result_of([&] { check(parameters); });
    });
  warn_of_unknown_parameters<Settings>(node);
  if (autostart) {
    start();
  }
}

LifecyclePerceptionNode::~LifecyclePerceptionNode() { end_callbacks(NodeHandle(*this)); }

void LifecyclePerceptionNode::start()
{
  using lifecycle_msgs::msg::State;
  if (configure().id() == State::PRIMARY_STATE_INACTIVE) {
    activate();
  }
}

LifecyclePerceptionNode::CallbackReturn LifecyclePerceptionNode::on_configure(const State &)
{
  const NodeHandle node(*this);
  try {
    server_.emplace(node, nullptr, settings_of<Settings>(node), false);
    return CallbackReturn::SUCCESS;
  } catch (const std::exception & error) {
    RCLCPP_ERROR(get_logger(), "%s", error.what());
    return CallbackReturn::ERROR;
  }
}

LifecyclePerceptionNode::CallbackReturn LifecyclePerceptionNode::on_activate(const State & state)
{
  server_->set_active(true);
  bond_.form(NodeHandle(*this));
  return LifecycleNode::on_activate(state);
}

LifecyclePerceptionNode::CallbackReturn LifecyclePerceptionNode::on_deactivate(const State & state)
{
  bond_.end();
  server_->set_active(false);
  return LifecycleNode::on_deactivate(state);
}

LifecyclePerceptionNode::CallbackReturn LifecyclePerceptionNode::on_cleanup(const State &)
{
  release();
  return CallbackReturn::SUCCESS;
}

LifecyclePerceptionNode::CallbackReturn LifecyclePerceptionNode::on_shutdown(const State &)
{
  release();
  return CallbackReturn::SUCCESS;
}

LifecyclePerceptionNode::CallbackReturn LifecyclePerceptionNode::on_error(const State &)
{
  release();
  return CallbackReturn::SUCCESS;
}

/// Transitions and all other callbacks are of one group that runs one at a time, so none of the
/// server's runs now. One that an executor has taken already does nothing later.
void LifecyclePerceptionNode::release()
{
  bond_.end();
  server_.reset();
}

void LifecyclePerceptionNode::check(const std::vector<rclcpp::Parameter> & parameters) const
{
  if (server_) {
    server_->check(parameters);
  } else {
    with_parameters(Settings(), parameters, false);
  }
}

}  // namespace mgproto_ros

RCLCPP_COMPONENTS_REGISTER_NODE(mgproto_ros::LifecyclePerceptionNode)
