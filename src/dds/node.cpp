// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/node.hpp"

#include <iostream>

#include "dds/participant.hpp"
#include "dds/shared_memory.hpp"
#include "mgproto_ros/error.hpp"

namespace mgproto::dds
{

Node::Node(const NodeOptions & options)
: name_(remap_node({options.name, options.name_space}, options.remappings)),
  remappings_(options.remappings),
  warn_(options.warn)
{
  if (!warn_) {
    warn_ = [](const std::string & line) { std::cerr << line + "\n"; };
  }
  if (options.domain_id < 0 || options.domain_id > largest_domain_id) {
    throw ConfigError(
      "domain id", std::to_string(options.domain_id) + " is not a number from 0 to 232");
  }
  remove_abandoned_segments();
  const std::string problem = shared_memory_problem();
  if (!problem.empty()) {
    warn_(problem + "; messages to nodes of this machine take the slower way over UDP");
  }
  participant_ = std::make_shared<Participant>(
    name_, options.domain_id, options.discovery_range, problem.empty());
}

std::string Node::resolve(const std::string & topic) const
{
  return resolve_topic_name(topic, name_, remappings_);
}

Publisher Node::create_publisher(
  const std::string & topic, const MessageType & type, const Qos & qos)
{
  return Publisher(participant_, resolve(topic), type, qos);
}

Subscription Node::create_subscription(
  const std::string & topic, const MessageType & type, const Qos & qos,
  Subscription::Callback callback)
{
  return Subscription(participant_, resolve(topic), type, qos, std::move(callback), warn_);
}

std::vector<TopicInfo> Node::topics() const { return participant_->discovered().list(); }

std::optional<std::string> Node::wait_for_type(
  const std::string & topic, std::chrono::milliseconds timeout) const
{
  return participant_->discovered().wait_for_type(resolve(topic), timeout);
}

}  // namespace mgproto::dds
