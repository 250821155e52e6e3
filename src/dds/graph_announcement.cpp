// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/graph_announcement.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dds/cdr.hpp"
#include "dds/payload.hpp"

namespace mgproto::dds
{
namespace
{

using GidMessage = rmw_dds_common::msg::Gid;
using NodeMessage = rmw_dds_common::msg::NodeEntitiesInfo;

GidMessage to_message(const Gid & gid)
{
  GidMessage message;
  std::copy(gid.begin(), gid.end(), message.data.begin());
  return message;
}

std::vector<GidMessage> & endpoints(NodeMessage & node, DiscoveredTopics::Role role)
{
  return role == DiscoveredTopics::Role::publisher ? node.writer_gid_seq : node.reader_gid_seq;
}

}  // namespace

GraphAnnouncement::GraphAnnouncement(
  eprosima::fastdds::dds::DataWriter & writer, const NodeName & node, const Gid & participant)
: writer_(writer)
{
  message_.gid = to_message(participant);
  message_.node_entities_info_seq.resize(1);
  message_.node_entities_info_seq[0].node_namespace = node.name_space;
  message_.node_entities_info_seq[0].node_name = node.name;
  publish();
}

void GraphAnnouncement::add(const Gid & endpoint, DiscoveredTopics::Role role)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  endpoints(message_.node_entities_info_seq[0], role).push_back(to_message(endpoint));
  publish();
}

void GraphAnnouncement::remove(const Gid & endpoint, DiscoveredTopics::Role role)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  auto & gids = endpoints(message_.node_entities_info_seq[0], role);
  gids.erase(std::remove(gids.begin(), gids.end(), to_message(endpoint)), gids.end());
  publish();
}

void GraphAnnouncement::publish()
{
  std::vector<uint8_t> bytes;
  serialize(message_, bytes);
  Payload payload{bytes.data(), bytes.size(), {}};
  writer_.write(&payload);
}

}  // namespace mgproto::dds
