// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/trust_messages.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "messages/header.hpp"

namespace mgproto::messages
{
namespace
{

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string value_of(const diagnostic_msgs::msg::DiagnosticStatus & status, const char * key)
{
  for (const auto & pair : status.values) {
    if (pair.key == key) {
      return pair.value;
    }
  }
  return "";
}

/// NaN for anything that is no finite number.
double number(const std::string & text)
{
  double value = kNan;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = problem == std::errc() && end == text.data() + text.size();
  return is_number && std::isfinite(value) ? value : kNan;
}

}  // namespace

perception::OodFlag read_flag(const mgproto_ros::msg::OodFlag & message)
{
  return {read_header(message.header).stamp, message.unknown, message.reason, message.detection_id};
}

std_msgs::msg::Bool trusted_message(const perception::Trust & trust)
{
  std_msgs::msg::Bool message;
  message.data = trust.trusted;
  return message;
}

#ifdef MGPROTO_NAV2_MSGS
nav2_msgs::msg::SpeedLimit speed_limit_message(
  const perception::Trust & trust, const perception::Stamp & now)
{
  nav2_msgs::msg::SpeedLimit message;
  message.header.stamp = time_message(now);
  message.percentage = true;
  message.speed_limit = trust.speed_limit;
  return message;
}
#endif

std::optional<ReportedTrust> read_trust(const diagnostic_msgs::msg::DiagnosticStatus & status)
{
  const std::string suffix = std::string(": ") + perception::kTrustDiagnosis;
  const std::string trusted = value_of(status, perception::kTrustedKey);
  if (
    status.hardware_id != kHardwareId || trusted.empty() || status.name.size() <= suffix.size() ||
    status.name.compare(status.name.size() - suffix.size(), suffix.size(), suffix) != 0) {
    return std::nullopt;
  }
  ReportedTrust reported;
  reported.gate = status.name.substr(0, status.name.size() - suffix.size());
  reported.trust.trusted = trusted == "true";
  reported.trust.speed_limit = number(value_of(status, perception::kSpeedLimitKey));
  const std::string prefix = perception::kNotTrusted;
  if (!reported.trust.trusted) {
    const bool has_prefix = status.message.compare(0, prefix.size(), prefix) == 0;
    reported.trust.reason = status.message.substr(has_prefix ? prefix.size() : 0);
  }
  reported.period = number(value_of(status, perception::kPeriodKey));
  return reported;
}

}  // namespace mgproto::messages
