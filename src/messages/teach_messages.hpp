// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MESSAGES__TEACH_MESSAGES_HPP_
#define MESSAGES__TEACH_MESSAGES_HPP_

#include <algorithm>
#include <mgproto_ros/msg/album.hpp>
#include <mgproto_ros/msg/teach_answer.hpp>
#include <mgproto_ros/msg/teach_request.hpp>

#include "messages/region_of_interest.hpp"
#include "perception/perception.hpp"

namespace mgproto::messages
{

mgproto_ros::msg::Album album_message(
  const perception::AlbumState & album, const std::string & model_id,
  const perception::Stamp & now);

/// Of a TeachRequest, or of a service's request with the same fields.
template <class Message>
perception::TeachRequest read_teach_request(const Message & message)
{
  perception::TeachRequest request;
  request.name = message.name;
  request.album_ids.assign(message.album_ids.begin(), message.album_ids.end());
  request.camera = message.camera;
  request.images = std::max<std::size_t>(message.images, 1);
  request.box = read_region(message.region);
  return request;
}

/// Does what the message asks for, which may take seconds, and says what became of it; without a stamp.
mgproto_ros::msg::TeachAnswer teach(
  perception::Perception & perception, const mgproto_ros::msg::TeachRequest & message);

}  // namespace mgproto::messages

#endif  // MESSAGES__TEACH_MESSAGES_HPP_
