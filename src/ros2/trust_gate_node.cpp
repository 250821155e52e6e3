// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "ros2/trust_gate_node.hpp"

#include <rclcpp_components/register_node_macro.hpp>
#include <string>

#include "messages/trust_messages.hpp"
#include "mgproto_ros/error.hpp"
#include "perception/parameters.hpp"
#include "perception/topics.hpp"
#include "ros2/callbacks.hpp"
#include "ros2/distribution.hpp"
#include "ros2/node_parameters.hpp"
#include "ros2/publishers.hpp"

namespace mgproto_ros
{

namespace messages = mgproto::messages;
namespace perception = mgproto::perception;
namespace topics = mgproto::perception::topics;

namespace
{

/// All regions of an image, which are told at once.
const rclcpp::QoS kFlags = rclcpp::QoS(100).reliable();

perception::TrustGate gate_of(const NodeHandle & node)
{
  declare_parameters_of<perception::GateSettings>(node, true);
  const auto settings = settings_of<perception::GateSettings>(node);
  std::vector<std::string> sources;
  for (const std::string & topic : settings.flags) {
    sources.push_back(node.resolved(topic));
  }
  return {sources, settings};
}

}  // namespace

TrustGate::Publishers::Publishers(NodeHandle node)
: trusted(latched<std_msgs::msg::Bool>(node, topics::kTrusted)),
#ifdef MGPROTO_NAV2_MSGS
  speed_limit(latched<nav2_msgs::msg::SpeedLimit>(node, topics::kSpeedLimit)),
#endif
  diagnostics(results<diagnostic_msgs::msg::DiagnosticArray>(node, topics::kDiagnostics))
{
}

TrustGate::TrustGate(const rclcpp::NodeOptions & options)
: Node("trust_gate", options), gate_(gate_of(NodeHandle(*this))), publishers_(NodeHandle(*this))
{
#ifndef MGPROTO_NAV2_MSGS
  RCLCPP_INFO(get_logger(), "built without nav2_msgs: there is no ~/output/speed_limit");
#endif
  const std::vector<std::string> & flags = gate_.settings().flags;
  for (std::size_t source = 0; source < flags.size(); ++source) {
    listen(source, flags[source]);
  }
  // By a clock that does not stop where a simulation does.
  asking_ = create_wall_timer(perception::TrustGate::kAskEvery, [this] {
    const std::lock_guard lock(mutex_);
    tell();
  });
  const NodeHandle node(*this);
  applying_parameters_ = distribution::after_setting_parameters(
    node, [this](const std::vector<rclcpp::Parameter> & parameters) { apply(parameters); });
  checking_parameters_ =
    add_on_set_parameters_callback([this](const std::vector<rclcpp::Parameter> & parameters) {
      return result_of([&] { check(parameters); });
    });
  warn_of_unknown_parameters<perception::GateSettings>(node);
  const std::lock_guard lock(mutex_);
  tell();
}

TrustGate::~TrustGate() { end_callbacks(NodeHandle(*this)); }

void TrustGate::listen(std::size_t source, const std::string & topic)
{
  rclcpp::SubscriptionOptions options;
  options.qos_overriding_options = rclcpp::QosOverridingOptions::with_default_policies();
  flags_.push_back(create_subscription<OodFlag>(
    topic, kFlags,
    [this, source](const OodFlag::ConstSharedPtr & flag) {
      const std::lock_guard lock(mutex_);
      gate_.add(source, messages::read_flag(*flag), moment());
      tell();
    },
    options));
  RCLCPP_INFO(get_logger(), "listening to %s", flags_.back()->get_topic_name());
}

perception::Moment TrustGate::moment() const
{
  const builtin_interfaces::msg::Time time = get_clock()->now();
  return {perception::Clock::now(), {time.sec, time.nanosec}};
}

void TrustGate::tell()
{
  const perception::Moment now = moment();
  const auto trust = gate_.news(now);
  if (!trust) {
    return;
  }
  messages::publish_trust(
    *trust, gate_.diagnosis(now), get_fully_qualified_name(), now.clock, publishers_,
    [](const auto & publisher, const auto & message) { publisher->publish(message); });
  if (const auto line = trust_log_.line(*trust, now.steady)) {
    if (line->level == perception::LogLevel::info) {
      RCLCPP_INFO(get_logger(), "%s", line->text.c_str());
    } else {
      RCLCPP_WARN(get_logger(), "%s", line->text.c_str());
    }
  }
}

void TrustGate::check(const std::vector<rclcpp::Parameter> & parameters)
{
  const std::lock_guard lock(mutex_);
  perception::check_settings(with_parameters(gate_.settings(), parameters, true));
}

void TrustGate::apply(const std::vector<rclcpp::Parameter> & parameters)
{
  const std::lock_guard lock(mutex_);
  gate_.set_settings(with_parameters(gate_.settings(), parameters, true));
  tell();
}

}  // namespace mgproto_ros

RCLCPP_COMPONENTS_REGISTER_NODE(mgproto_ros::TrustGate)
