// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__NODE_HPP_
#define DDS__NODE_HPP_

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dds/cdr.hpp"
#include "dds/discovered_topics.hpp"
#include "dds/environment.hpp"
#include "dds/message_type.hpp"
#include "dds/publisher.hpp"
#include "dds/qos.hpp"
#include "dds/remapping.hpp"
#include "dds/subscription.hpp"
#include "dds/topic_names.hpp"

namespace mgproto::dds
{

class Participant;

struct NodeOptions
{
  std::string name;
  std::string name_space = "/";
  int domain_id = domain_id_from_environment();
  DiscoveryRange discovery_range = discovery_range_from_environment();
  std::vector<Remapping> remappings;
  /// Gets one line for each kind of problem with received messages; stderr if it is empty.
  std::function<void(const std::string &)> warn;
};

/// A node as ROS 2 sees it, on plain DDS. Topic names are expanded and remapped as in ROS 2.
///
/// Thread-safe. Publishers and subscriptions may be destroyed before or after it; the node leaves
/// the domain with the last of them.
class Node
{
public:
  /// Throws ConfigError for names that ROS 2 does not allow, Error if DDS cannot be joined.
  explicit Node(const NodeOptions & options);

  const NodeName & name() const { return name_; }

  /// The absolute name that a topic has after expansion and remapping. Throws ConfigError.
  std::string resolve(const std::string & topic) const;

  Publisher create_publisher(const std::string & topic, const MessageType & type, const Qos & qos);

  template <class Message>
  TypedPublisher<Message> create_publisher(const std::string & topic, const Qos & qos)
  {
    return TypedPublisher<Message>(create_publisher(topic, message_type<Message>(), qos));
  }

  /// See Subscription for what the callback may do.
  Subscription create_subscription(
    const std::string & topic, const MessageType & type, const Qos & qos,
    Subscription::Callback callback);

  /// Bytes that are not such a message are refused before the callback.
  template <class Message>
  Subscription create_subscription(
    const std::string & topic, const Qos & qos,
    std::function<void(std::shared_ptr<const Message>)> callback)
  {
    return create_subscription(
      topic, message_type<Message>(), qos,
      [callback = std::move(callback)](const Payload & payload) {
        auto message = std::make_shared<Message>();
        deserialize(payload.data, payload.size, *message);
        callback(std::move(message));
      });
  }

  /// ROS topics that anybody in the domain, this node included, publishes or subscribes to.
  std::vector<TopicInfo> topics() const;

  /// Waits for somebody who uses the topic and returns its type, for example sensor_msgs/msg/Image;
  /// nothing after the timeout.
  std::optional<std::string> wait_for_type(
    const std::string & topic, std::chrono::milliseconds timeout) const;

private:
  NodeName name_;
  std::vector<Remapping> remappings_;
  std::function<void(const std::string &)> warn_;
  std::shared_ptr<Participant> participant_;
};

}  // namespace mgproto::dds

#endif  // DDS__NODE_HPP_
