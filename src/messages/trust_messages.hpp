// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MESSAGES__TRUST_MESSAGES_HPP_
#define MESSAGES__TRUST_MESSAGES_HPP_

#include <mgproto_ros/msg/ood_flag.hpp>
#include <optional>
#include <std_msgs/msg/bool.hpp>
#include <string>
#ifdef MGPROTO_NAV2_MSGS
#include <nav2_msgs/msg/speed_limit.hpp>
#endif

#include "messages/diagnostics_messages.hpp"
#include "perception/trust_gate.hpp"

namespace mgproto::messages
{

perception::OodFlag read_flag(const mgproto_ros::msg::OodFlag & message);

std_msgs::msg::Bool trusted_message(const perception::Trust & trust);

#ifdef MGPROTO_NAV2_MSGS
/// In percent.
nav2_msgs::msg::SpeedLimit speed_limit_message(
  const perception::Trust & trust, const perception::Stamp & now);
#endif

/// What a gate said of itself on /diagnostics.
struct ReportedTrust
{
  std::string gate;  ///< full name of the node
  perception::Trust trust;
  double period = 0;  ///< seconds until it says so again
};

/// Nothing of a status that is none of a trust gate.
std::optional<ReportedTrust> read_trust(const diagnostic_msgs::msg::DiagnosticStatus & status);

/// What every host of a trust gate publishes. A host brings its publishers, as members that are called
/// like the topics, and send(publisher, message).
template <class Publishers, class Send>
void publish_trust(
  const perception::Trust & trust, const perception::Diagnosis & diagnosis,
  const std::string & node_name, const perception::Stamp & now, Publishers & to, const Send & send)
{
  send(to.trusted, trusted_message(trust));
#ifdef MGPROTO_NAV2_MSGS
  send(to.speed_limit, speed_limit_message(trust, now));
#endif
  send(to.diagnostics, diagnostics_message({diagnosis}, node_name, now));
}

}  // namespace mgproto::messages

#endif  // MESSAGES__TRUST_MESSAGES_HPP_
