// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__MESSAGE_TEXT_HPP_
#define DDS__MESSAGE_TEXT_HPP_

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "dds/message_type.hpp"

namespace mgproto::dds
{

struct TextOptions
{
  /// Arrays and texts are cut after as many elements or characters and end with '...'; 0 shows all.
  std::size_t truncate_length = 128;
  /// Only the type and the length of arrays.
  bool no_arrays = false;
};

/// A message as `ros2 topic echo` prints it, except that a text with line breaks stays one line.
/// Without the `---` that follows there. (There is no short form for known types: rosidl's own
/// to_yaml() of a message, which prints another form, would be taken for it.)
std::string to_yaml(
  const MessageType & type, const void * message, const TextOptions & options = {});

/// A message for a record, fields in their order. What JSON cannot hold is replaced: numbers that
/// are not finite by null, bytes that are not UTF-8 by U+FFFD. Of byte arrays of more than 64
/// elements, images that is, only the length is given: "<sequence type: uint8, length: 921600>".
nlohmann::ordered_json to_json(const MessageType & type, const void * message);

template <class Message>
nlohmann::ordered_json to_json(const Message & message)
{
  return to_json(message_type<Message>(), &message);
}

}  // namespace mgproto::dds

#endif  // DDS__MESSAGE_TEXT_HPP_
