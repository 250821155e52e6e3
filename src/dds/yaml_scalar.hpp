// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__YAML_SCALAR_HPP_
#define DDS__YAML_SCALAR_HPP_

#include <string>

/// Single values as YAML, written as Python's YAML package writes them, since ROS 2's own tools do.
namespace mgproto::dds
{

/// Plain where that reads back as the same text, else in quotes; also in quotes if it merely
/// resembles a number. Always one line, and safe for a terminal: control characters and bytes that
/// are not UTF-8 are escaped.
std::string yaml_text(const std::string & text);

/// The shortest number that reads back as the same double: 0.5, 1.0e-05, .nan, -.inf
std::string yaml_number(double number);

}  // namespace mgproto::dds

#endif  // DDS__YAML_SCALAR_HPP_
