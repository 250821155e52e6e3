// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__ROS_YAML_HPP_
#define PERCEPTION__ROS_YAML_HPP_

#include <yaml-cpp/yaml.h>

#include <string>

#include "mgproto_ros/error.hpp"
#include "perception/parameters.hpp"

namespace mgproto::perception
{

/// A text that ROS would not take for YAML.
class YamlError : public Error
{
public:
  YamlError(int line, const std::string & problem) : Error(problem), line_(line) {}
  int line() const { return line_; }  ///< from 1

private:
  int line_;
};

/// The one document of a text; null for an empty text. Throws YamlError. Aliases are refused as ROS
/// does.
YAML::Node parse_ros_yaml(const std::string & text);

/// A value by ROS's rules: without quotes, yes/no/on/off/true/false are bools, 5 and 0x5 integers,
/// 5.0, 5e0, nan and .inf doubles; anything else, and all that is in quotes or tagged !!str, is a
/// string. A list holds strings only. Throws YamlError for all that is no such value.
Value to_value(const YAML::Node & node);

}  // namespace mgproto::perception

#endif  // PERCEPTION__ROS_YAML_HPP_
