// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/teach_messages.hpp"

#include <string>

#include "messages/header.hpp"

namespace mgproto::messages
{

mgproto_ros::msg::Album album_message(
  const perception::AlbumState & album, const std::string & model_id, const perception::Stamp & now)
{
  mgproto_ros::msg::Album message;
  message.header.stamp = time_message(now);
  for (const perception::Album::Image & image : album.images) {
    mgproto_ros::msg::AlbumImage & one = message.images.emplace_back();
    one.id = image->id;
    one.group = image->group;
    one.header = header_message(image->header);
    one.camera = image->camera;
    one.region = region_message(image->region);
    one.detection_id = image->detection_id;
    one.nearest_class = image->nearest_class;
    one.reason = image->reason;
    one.jpeg = image->thumbnail;
  }
  message.problem = album.problem;
  message.taught = album.taught;
  message.can_undo = album.can_undo;
  message.model_id = model_id;
  return message;
}

mgproto_ros::msg::TeachAnswer teach(
  perception::Perception & perception, const mgproto_ros::msg::TeachRequest & message)
{
  using mgproto_ros::msg::TeachRequest;
  perception::TeachAnswer answer;
  switch (message.action) {
    case TeachRequest::TEACH:
      answer = perception.teach(read_teach_request(message));
      break;
    case TeachRequest::FORGET:
      answer = perception.forget(message.name);
      break;
    case TeachRequest::UNDO:
      answer = perception.undo();
      break;
    default:
      answer.message = "action: " + std::to_string(message.action) + " is not one of 0 to 2";
  }
  mgproto_ros::msg::TeachAnswer result;
  result.request_id = message.request_id;
  result.success = answer.success;
  result.message = answer.message;
  result.model_id = answer.model_id;
  result.classes = static_cast<std::uint32_t>(answer.classes);
  return result;
}

}  // namespace mgproto::messages
