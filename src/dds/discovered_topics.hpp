// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__DISCOVERED_TOPICS_HPP_
#define DDS__DISCOVERED_TOPICS_HPP_

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace mgproto::dds
{

/// Identifies a participant, a writer or a reader.
using Gid = std::array<uint8_t, 16>;

struct TopicInfo
{
  std::string name;  // /camera/image
  std::string type;  // sensor_msgs/msg/Image
  int publishers = 0;
  int subscribers = 0;
};

/// Book of all ROS publishers and subscribers in the domain, kept by discovery. Thread-safe.
class DiscoveredTopics
{
public:
  enum class Role
  {
    publisher,
    subscriber,
  };

  /// Names as DDS has them. What is no ROS topic is left out.
  void add(
    const Gid & endpoint, Role role, const std::string & dds_topic, const std::string & dds_type);
  void remove(const Gid & endpoint);

  /// Sorted by name; a topic that is used with two types is there twice.
  std::vector<TopicInfo> list() const;

  /// Waits for somebody who uses the topic and returns its type; nothing after the timeout.
  std::optional<std::string> wait_for_type(
    const std::string & topic, std::chrono::milliseconds timeout) const;

private:
  struct Endpoint
  {
    Role role;
    std::string topic;
    std::string type;
  };

  mutable std::mutex mutex_;
  mutable std::condition_variable added_;
  std::map<Gid, Endpoint> endpoints_;
};

}  // namespace mgproto::dds

#endif  // DDS__DISCOVERED_TOPICS_HPP_
