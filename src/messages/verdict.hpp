// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MESSAGES__VERDICT_HPP_
#define MESSAGES__VERDICT_HPP_

#include <mgproto_ros/msg/prediction.hpp>

#include "mgproto_ros/prediction.hpp"

namespace mgproto::messages
{

/// A status that is none counts as unknown.
inline Verdict read_status(std::uint8_t status)
{
  switch (status) {
    case mgproto_ros::msg::Prediction::KNOWN:
      return Verdict::known;
    case mgproto_ros::msg::Prediction::UNCALIBRATED:
      return Verdict::uncalibrated;
    default:
      return Verdict::unknown;
  }
}

}  // namespace mgproto::messages

#endif  // MESSAGES__VERDICT_HPP_
