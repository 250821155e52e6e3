// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__SUBSCRIPTION_HPP_
#define DDS__SUBSCRIPTION_HPP_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "dds/message_type.hpp"
#include "dds/payload.hpp"
#include "dds/qos.hpp"

namespace mgproto::dds
{

class Participant;

/// Receives messages of one type on one topic. Made by Node::create_subscription(); may outlive the
/// node.
///
/// The callback runs on a thread of Fast DDS and must return quickly: what takes longer is handed to
/// another thread. Callbacks of one subscription never overlap. What a callback throws is counted and
/// reported, once for each kind of problem, and the next message comes as if nothing had happened.
///
/// After the destructor no callback runs; it waits for a running one, and so must not be called from
/// inside the callback.
class Subscription
{
public:
  using Callback = std::function<void(const Payload &)>;
  using Warn = std::function<void(const std::string &)>;

  /// `topic` is absolute.
  Subscription(
    std::shared_ptr<Participant> participant, const std::string & topic, const MessageType & type,
    const Qos & qos, Callback callback, Warn warn);
  ~Subscription();
  Subscription(Subscription &&) noexcept;
  Subscription & operator=(Subscription &&) noexcept;

  /// Publishers that are connected now.
  int publisher_count() const;

  /// Messages that were refused: bytes that are not a message of the type, or a callback that threw.
  uint64_t refused_count() const;

  const std::string & topic() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mgproto::dds

#endif  // DDS__SUBSCRIPTION_HPP_
