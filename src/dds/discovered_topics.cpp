// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/discovered_topics.hpp"

#include <utility>

#include "dds/topic_names.hpp"

namespace mgproto::dds
{

void DiscoveredTopics::add(
  const Gid & endpoint, Role role, const std::string & dds_topic, const std::string & dds_type)
{
  const auto topic = ros_topic_name(dds_topic);
  const auto type = ros_type_name(dds_type);
  if (!topic || !type) {
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    endpoints_[endpoint] = {role, *topic, *type};
  }
  added_.notify_all();
}

void DiscoveredTopics::remove(const Gid & endpoint)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  endpoints_.erase(endpoint);
}

std::vector<TopicInfo> DiscoveredTopics::list() const
{
  std::map<std::pair<std::string, std::string>, TopicInfo> topics;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto & [gid, endpoint] : endpoints_) {
      TopicInfo & info = topics[{endpoint.topic, endpoint.type}];
      ++(endpoint.role == Role::publisher ? info.publishers : info.subscribers);
    }
  }
  std::vector<TopicInfo> result;
  for (auto & [key, info] : topics) {
    info.name = key.first;
    info.type = key.second;
    result.push_back(std::move(info));
  }
  return result;
}

std::optional<std::string> DiscoveredTopics::wait_for_type(
  const std::string & topic, std::chrono::milliseconds timeout) const
{
  std::optional<std::string> type;
  std::unique_lock<std::mutex> lock(mutex_);
  added_.wait_for(lock, timeout, [&] {
    for (const auto & [gid, endpoint] : endpoints_) {
      if (endpoint.topic == topic && (!type || endpoint.role == Role::publisher)) {
        type = endpoint.type;
      }
    }
    return type.has_value();
  });
  return type;
}

}  // namespace mgproto::dds
