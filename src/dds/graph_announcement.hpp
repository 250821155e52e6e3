// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__GRAPH_ANNOUNCEMENT_HPP_
#define DDS__GRAPH_ANNOUNCEMENT_HPP_

#include <fastdds/dds/publisher/DataWriter.hpp>
#include <mutex>
#include <rmw_dds_common/msg/participant_entities_info.hpp>

#include "dds/discovered_topics.hpp"
#include "dds/topic_names.hpp"

namespace mgproto::dds
{

/// Tells ROS 2 which node the writers and readers of a participant belong to (`ros2 node list`,
/// `ros2 topic info -v`). Thread-safe.
class GraphAnnouncement
{
public:
  /// Announces the node, without endpoints. The writer must outlive this.
  GraphAnnouncement(
    eprosima::fastdds::dds::DataWriter & writer, const NodeName & node, const Gid & participant);

  void add(const Gid & endpoint, DiscoveredTopics::Role role);
  void remove(const Gid & endpoint, DiscoveredTopics::Role role);

private:
  void publish();

  eprosima::fastdds::dds::DataWriter & writer_;
  std::mutex mutex_;
  rmw_dds_common::msg::ParticipantEntitiesInfo message_;
};

}  // namespace mgproto::dds

#endif  // DDS__GRAPH_ANNOUNCEMENT_HPP_
