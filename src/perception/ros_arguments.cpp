// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/ros_arguments.hpp"

#include "mgproto_ros/error.hpp"
#include "model/printable.hpp"
#include "perception/ros_yaml.hpp"

namespace mgproto::perception
{

Value parse_value(const std::string & yaml) { return to_value(parse_yaml(yaml)); }

Assignment parse_assignment(const std::string & text)
{
  const auto sign = text.find(":=");
  const std::string name = text.substr(0, sign);
  if (sign == std::string::npos || name.empty()) {
    throw ConfigError(printable(text), "expected name:=value");
  }
  if (name.find(':') != std::string::npos) {
    throw ConfigError(printable(text), "expected name:=value, without the name of a node");
  }
  try {
    return {name, parse_value(text.substr(sign + 2))};
  } catch (const YamlError & error) {
    throw ConfigError(printable(name), error.what());
  }
}

}  // namespace mgproto::perception
