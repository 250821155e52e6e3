// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MESSAGES__HEADER_HPP_
#define MESSAGES__HEADER_HPP_

#include <builtin_interfaces/msg/time.hpp>
#include <std_msgs/msg/header.hpp>

#include "perception/frame.hpp"

namespace mgproto::messages
{

/// Unchanged, also if the stamp is one that no clock shows: an answer must match its image.
inline perception::Header read_header(const std_msgs::msg::Header & message)
{
  return {{message.stamp.sec, message.stamp.nanosec}, message.frame_id};
}

inline builtin_interfaces::msg::Time time_message(const perception::Stamp & stamp)
{
  builtin_interfaces::msg::Time message;
  message.sec = stamp.sec;
  message.nanosec = stamp.nanosec;
  return message;
}

inline std_msgs::msg::Header header_message(const perception::Header & header)
{
  std_msgs::msg::Header message;
  message.stamp = time_message(header.stamp);
  message.frame_id = header.frame_id;
  return message;
}

}  // namespace mgproto::messages

#endif  // MESSAGES__HEADER_HPP_
