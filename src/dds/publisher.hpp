// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__PUBLISHER_HPP_
#define DDS__PUBLISHER_HPP_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "dds/message_type.hpp"
#include "dds/qos.hpp"

namespace mgproto::dds
{

class Participant;

/// Sends messages of one type on one topic. Made by Node::create_publisher(); may outlive the node.
/// Thread-safe.
class Publisher
{
public:
  /// `topic` is absolute.
  Publisher(
    std::shared_ptr<Participant> participant, const std::string & topic, const MessageType & type,
    const Qos & qos);
  ~Publisher();
  Publisher(Publisher &&) noexcept;
  Publisher & operator=(Publisher &&) noexcept;

  /// A message of the publisher's type; whether anybody listens does not matter. False if it could not
  /// be sent. Throws WireError if the type does not allow it.
  bool publish(const void * message);

  /// The same for a message that is serialised already, with its encapsulation header.
  bool publish_bytes(const uint8_t * data, size_t size);

  /// Subscribers that are connected now.
  int subscription_count() const;

  const std::string & topic() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A publisher that knows its type at compile time.
template <class Message>
class TypedPublisher
{
public:
  explicit TypedPublisher(Publisher publisher) : publisher_(std::move(publisher)) {}

  bool publish(const Message & message) { return publisher_.publish(&message); }
  int subscription_count() const { return publisher_.subscription_count(); }
  const std::string & topic() const { return publisher_.topic(); }

private:
  Publisher publisher_;
};

}  // namespace mgproto::dds

#endif  // DDS__PUBLISHER_HPP_
