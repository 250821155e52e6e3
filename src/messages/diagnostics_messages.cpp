// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/diagnostics_messages.hpp"

#include "messages/header.hpp"

namespace mgproto::messages
{

diagnostic_msgs::msg::DiagnosticArray diagnostics_message(
  const std::vector<perception::Diagnosis> & diagnosis, const std::string & node_name,
  const perception::Stamp & now)
{
  diagnostic_msgs::msg::DiagnosticArray message;
  message.header.stamp = time_message(now);
  for (const perception::Diagnosis & one : diagnosis) {
    diagnostic_msgs::msg::DiagnosticStatus status;
    status.level = static_cast<decltype(status.level)>(one.level);
    status.name = node_name + ": " + one.name;
    status.message = one.message;
    status.hardware_id = kHardwareId;
    for (const auto & [key, value] : one.values) {
      diagnostic_msgs::msg::KeyValue pair;
      pair.key = key;
      pair.value = value;
      status.values.push_back(std::move(pair));
    }
    message.status.push_back(std::move(status));
  }
  return message;
}

}  // namespace mgproto::messages
