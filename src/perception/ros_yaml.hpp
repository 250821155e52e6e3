// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__ROS_YAML_HPP_
#define PERCEPTION__ROS_YAML_HPP_

#include "model/yaml_document.hpp"
#include "perception/parameters.hpp"

namespace mgproto::perception
{

/// A value by ROS's rules: without quotes, yes/no/on/off/true/false are bools, 5 and 0x5 integers,
/// 5.0, 5e0, nan and .inf doubles; anything else, and all that is in quotes or tagged !!str, is a
/// string. A list holds strings only. Throws YamlError for all that is no such value.
Value to_value(const YAML::Node & node);

}  // namespace mgproto::perception

#endif  // PERCEPTION__ROS_YAML_HPP_
