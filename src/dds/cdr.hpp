// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__CDR_HPP_
#define DDS__CDR_HPP_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dds/message_type.hpp"
#include "mgproto_ros/error.hpp"

/// Messages as bytes, in the plain CDR that ROS 2 sends: four bytes that name the encoding, then the
/// fields in order, each aligned to its size counted from the fifth byte.
namespace mgproto::dds
{

/// Bytes that are not the message they were said to be, or a message that its type does not allow.
class WireError : public Error
{
public:
  using Error::Error;
};

/// Replaces the content of `buffer`, little-endian. Throws WireError if a text or a sequence is
/// longer than its type allows.
void serialize(const MessageType & type, const void * message, std::vector<std::uint8_t> & buffer);

/// Fills `message`, which must be a valid message of the type, from little- or big-endian bytes of
/// any origin. Allocates no more than a fixed multiple of `size`. Up to three bytes may follow the
/// message, since senders may pad it to a multiple of four. Values are not judged, only structure.
/// Throws WireError; the message is then valid, but its content is not specified.
void deserialize(
  const MessageType & type, const std::uint8_t * data, std::size_t size, void * message);

template <class Message>
void serialize(const Message & message, std::vector<std::uint8_t> & buffer)
{
  serialize(message_type<Message>(), &message, buffer);
}

template <class Message>
void deserialize(const std::uint8_t * data, std::size_t size, Message & message)
{
  deserialize(message_type<Message>(), data, size, &message);
}

}  // namespace mgproto::dds

#endif  // DDS__CDR_HPP_
