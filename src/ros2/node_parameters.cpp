// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "ros2/node_parameters.hpp"

#include <limits>
#include <rcl_interfaces/msg/parameter_descriptor.hpp>
#include <string>

#include "mgproto_ros/error.hpp"
#include "perception/parameters.hpp"

namespace mgproto_ros
{
namespace
{

using mgproto::perception::Assignment;
using mgproto::perception::GateSettings;
using mgproto::perception::ParameterOf;
using mgproto::perception::Settings;
using mgproto::perception::Value;

rclcpp::ParameterValue to_ros(const Value & value)
{
  return std::visit([](const auto & held) { return rclcpp::ParameterValue(held); }, value);
}

Value from_ros(const std::string & name, const rclcpp::ParameterValue & value)
{
  switch (value.get_type()) {
    case rclcpp::PARAMETER_BOOL:
      return value.get<bool>();
    case rclcpp::PARAMETER_INTEGER:
      return value.get<std::int64_t>();
    case rclcpp::PARAMETER_DOUBLE:
      return value.get<double>();
    case rclcpp::PARAMETER_STRING:
      return value.get<std::string>();
    case rclcpp::PARAMETER_STRING_ARRAY:
      return value.get<std::vector<std::string>>();
    default:
      throw mgproto::ConfigError(
        name, "expected another type than " + rclcpp::to_string(value.get_type()));
  }
}

template <class S>
rcl_interfaces::msg::ParameterDescriptor descriptor_of(
  const ParameterOf<S> & parameter, bool runs_always)
{
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.name = parameter.name;
  descriptor.description = parameter.description;
  descriptor.additional_constraints = parameter.constraints;
  descriptor.read_only = runs_always && !parameter.dynamic;
  if (!parameter.minimum && !parameter.maximum) {
    return descriptor;
  }
  const Value standard = parameter.get(S());
  if (std::holds_alternative<std::int64_t>(standard)) {
    using Limits = std::numeric_limits<std::int64_t>;
    auto & range = descriptor.integer_range.emplace_back();
    range.from_value =
      parameter.minimum ? static_cast<std::int64_t>(*parameter.minimum) : Limits::min();
    range.to_value =
      parameter.maximum ? static_cast<std::int64_t>(*parameter.maximum) : Limits::max();
  } else {
    auto & range = descriptor.floating_point_range.emplace_back();
    range.from_value = parameter.minimum.value_or(std::numeric_limits<double>::lowest());
    range.to_value = parameter.maximum.value_or(std::numeric_limits<double>::max());
  }
  return descriptor;
}

}  // namespace

template <class S>
void declare_parameters_of(const NodeHandle & node, bool runs_always)
{
  const auto parameters = node.get_node_parameters_interface();
  const auto & given = parameters->get_parameter_overrides();
  for (const ParameterOf<S> & parameter : mgproto::perception::parameters<S>()) {
    // Checked before rclcpp does, whose words for a wrong value do not say what is allowed.
    if (const auto value = given.find(parameter.name); value != given.end()) {
      mgproto::perception::checked(parameter, from_ros(parameter.name, value->second));
    }
    if (!parameters->has_parameter(parameter.name)) {
      parameters->declare_parameter(
        parameter.name, to_ros(parameter.get(S())), descriptor_of(parameter, runs_always));
    }
  }
}

template <class S>
S settings_of(const NodeHandle & node)
{
  std::vector<Assignment> values;
  for (const ParameterOf<S> & parameter : mgproto::perception::parameters<S>()) {
    const rclcpp::Parameter declared =
      node.get_node_parameters_interface()->get_parameter(parameter.name);
    values.push_back({parameter.name, from_ros(parameter.name, declared.get_parameter_value())});
  }
  const S settings = mgproto::perception::with_values(S(), values, false);
  mgproto::perception::check_settings(settings);
  return settings;
}

template <class S>
S with_parameters(
  const S & settings, const std::vector<rclcpp::Parameter> & parameters, bool running)
{
  std::vector<Assignment> values;
  for (const rclcpp::Parameter & parameter : parameters) {
    if (mgproto::perception::find_parameter<S>(parameter.get_name()) != nullptr) {
      values.push_back(
        {parameter.get_name(), from_ros(parameter.get_name(), parameter.get_parameter_value())});
    }
  }
  return mgproto::perception::with_values(settings, values, running);
}

rcl_interfaces::msg::SetParametersResult result_of(const std::function<void()> & check)
{
  rcl_interfaces::msg::SetParametersResult result;
  try {
    check();
    result.successful = true;
  } catch (const mgproto::ConfigError & error) {
    result.successful = false;
    result.reason = error.what();
  }
  return result;
}

template <class S>
void warn_of_unknown_parameters(const NodeHandle & node)
{
  const auto parameters = node.get_node_parameters_interface();
  for (const auto & given : parameters->get_parameter_overrides()) {
    if (!parameters->has_parameter(given.first)) {
      try {
        mgproto::perception::known_parameter<S>(given.first);
      } catch (const mgproto::ConfigError & error) {
        RCLCPP_WARN(node.logger(), "ignored: %s", error.what());
      }
    }
  }
}

template void declare_parameters_of<Settings>(const NodeHandle &, bool);
template Settings settings_of(const NodeHandle &);
template Settings with_parameters(const Settings &, const std::vector<rclcpp::Parameter> &, bool);
template void warn_of_unknown_parameters<Settings>(const NodeHandle &);
template void declare_parameters_of<GateSettings>(const NodeHandle &, bool);
template GateSettings settings_of(const NodeHandle &);
template GateSettings with_parameters(
  const GateSettings &, const std::vector<rclcpp::Parameter> &, bool);
template void warn_of_unknown_parameters<GateSettings>(const NodeHandle &);

}  // namespace mgproto_ros
