// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/trust_messages.hpp"

#include "messages/header.hpp"

namespace mgproto::messages
{

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

}  // namespace mgproto::messages
