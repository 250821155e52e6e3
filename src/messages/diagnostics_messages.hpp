// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MESSAGES__DIAGNOSTICS_MESSAGES_HPP_
#define MESSAGES__DIAGNOSTICS_MESSAGES_HPP_

#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <string>
#include <vector>

#include "perception/diagnostics.hpp"
#include "perception/frame.hpp"

namespace mgproto::messages
{

/// By which a viewer of /diagnostics knows these from the robot's others.
inline constexpr const char * kHardwareId = "mgproto";

/// For /diagnostics. Each entry is called "node_name: its own name", as diagnostic_updater does it.
diagnostic_msgs::msg::DiagnosticArray diagnostics_message(
  const std::vector<perception::Diagnosis> & diagnosis, const std::string & node_name,
  const perception::Stamp & now);

}  // namespace mgproto::messages

#endif  // MESSAGES__DIAGNOSTICS_MESSAGES_HPP_
