// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__ROS_ARGUMENTS_HPP_
#define PERCEPTION__ROS_ARGUMENTS_HPP_

#include <string>

#include "perception/parameters.hpp"

namespace mgproto::perception
{

/// A value as ROS reads it from a command line: see to_value() in ros_yaml.hpp for the rules.
/// Throws Error.
Value parse_value(const std::string & yaml);

/// What `-p name:=value` sets; name and value are not checked against the table, with_values() does
/// that. Throws ConfigError.
Assignment parse_assignment(const std::string & text);

}  // namespace mgproto::perception

#endif  // PERCEPTION__ROS_ARGUMENTS_HPP_
