// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MESSAGES__REGION_OF_INTEREST_HPP_
#define MESSAGES__REGION_OF_INTEREST_HPP_

#include <algorithm>
#include <cstdint>
#include <sensor_msgs/msg/region_of_interest.hpp>

#include "mgproto_ros/prediction.hpp"
#include "perception/frame.hpp"

namespace mgproto::messages
{

/// The message knows no negative numbers: what lies left of or above the image is cut off.
inline sensor_msgs::msg::RegionOfInterest region_message(const Box & box)
{
  const auto put = [](int begin, int length, std::uint32_t & offset, std::uint32_t & size) {
    const std::int64_t first = std::max(begin, 0);
    const std::int64_t end = std::max(std::int64_t{begin} + length, first);
    offset = static_cast<std::uint32_t>(first);
    size = static_cast<std::uint32_t>(end - first);
  };
  sensor_msgs::msg::RegionOfInterest message;
  put(box.x, box.width, message.x_offset, message.width);
  put(box.y, box.height, message.y_offset, message.height);
  return message;
}

/// What lies beyond any image is cut off.
inline Box read_region(const sensor_msgs::msg::RegionOfInterest & message)
{
  const auto read = [](std::uint32_t number) {
    return static_cast<int>(std::min<std::uint32_t>(number, perception::kMaxSide));
  };
  return {
    read(message.x_offset), read(message.y_offset), read(message.width), read(message.height)};
}

}  // namespace mgproto::messages

#endif  // MESSAGES__REGION_OF_INTEREST_HPP_
