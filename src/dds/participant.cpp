// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/participant.hpp"

#include <algorithm>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/qos/DataWriterQos.hpp>
#include <fastdds/dds/subscriber/qos/DataReaderQos.hpp>

#include "dds/participant_settings.hpp"
#include "dds/payload_type.hpp"
#include "mgproto_ros/error.hpp"

namespace mgproto::dds
{
namespace
{

namespace fast = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

using Role = DiscoveredTopics::Role;

Gid to_gid(const rtps::GUID_t & guid)
{
  Gid gid;
  auto end = std::copy_n(guid.guidPrefix.value, rtps::GuidPrefix_t::size, gid.begin());
  std::copy_n(guid.entityId.value, rtps::EntityId_t::size, end);
  return gid;
}

// A topic as a person knows it.
std::string shown(const std::string & dds_topic)
{
  return ros_topic_name(dds_topic).value_or(dds_topic);
}

// What writers and readers have in common.
template <class EndpointQos>
EndpointQos endpoint_qos(const Qos & qos, const MessageType & type)
{
  if (qos.depth < 1) {
    throw ConfigError("depth", std::to_string(qos.depth) + " is less than 1");
  }
  EndpointQos result;
  result.reliability().kind =
    qos.reliable ? fast::RELIABLE_RELIABILITY_QOS : fast::BEST_EFFORT_RELIABILITY_QOS;
  result.durability().kind =
    qos.transient_local ? fast::TRANSIENT_LOCAL_DURABILITY_QOS : fast::VOLATILE_DURABILITY_QOS;
  result.history().kind = fast::KEEP_LAST_HISTORY_QOS;
  result.history().depth = qos.depth;
  // The depth is limit enough, and memory is taken when messages come.
  result.resource_limits().max_samples = 0;
  result.resource_limits().max_samples_per_instance = 0;
  result.resource_limits().allocated_samples = 1;
  result.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  result.data_sharing().off();
  result.user_data().setValue(user_data("typehash=" + type.hash() + ";"));
  return result;
}

}  // namespace

Participant::Participant(
  const NodeName & node, int domain_id, DiscoveryRange range, bool with_shared_memory)
{
  set_up_library();
  participant_ = fast::DomainParticipantFactory::get_instance()->create_participant(
    static_cast<uint32_t>(domain_id),
    participant_settings(node.full(), domain_id, range, with_shared_memory), &listener_,
    fast::StatusMask::none());
  if (participant_ == nullptr) {
    throw Error(
      "node " + node.full() + ": Fast DDS cannot join domain " + std::to_string(domain_id));
  }
  publisher_ = participant_->create_publisher(fast::PUBLISHER_QOS_DEFAULT);
  subscriber_ = participant_->create_subscriber(fast::SUBSCRIBER_QOS_DEFAULT);
  auto * graph_writer = create_plain_writer(
    "ros_discovery_info", message_type<rmw_dds_common::msg::ParticipantEntitiesInfo>(),
    latched_qos);
  graph_.emplace(*graph_writer, node, to_gid(participant_->guid()));
}

Participant::~Participant()
{
  participant_->delete_contained_entities();
  fast::DomainParticipantFactory::get_instance()->delete_participant(participant_);
}

fast::Topic * Participant::acquire_topic(const std::string & dds_topic, const MessageType & type)
{
  const std::lock_guard<std::mutex> lock(topics_mutex_);
  SharedTopic & shared = topics_[dds_topic];
  if (shared.topic == nullptr) {
    if (participant_->find_type(type.dds_name()).empty()) {
      fast::TypeSupport(new PayloadType(type.dds_name())).register_type(participant_);
    }
    shared.topic = participant_->create_topic(dds_topic, type.dds_name(), fast::TOPIC_QOS_DEFAULT);
  }
  if (shared.topic == nullptr) {
    topics_.erase(dds_topic);
    throw Error(
      "topic " + shown(dds_topic) + ": Fast DDS cannot create it with type " + type.name());
  }
  if (shared.topic->get_type_name() != type.dds_name()) {
    throw Error(
      "topic " + shown(dds_topic) + ": this node already uses it with type " +
      ros_type_name(shared.topic->get_type_name()).value_or("unknown") + ", not " + type.name());
  }
  ++shared.users;
  return shared.topic;
}

void Participant::release_topic(const std::string & dds_topic)
{
  const std::lock_guard<std::mutex> lock(topics_mutex_);
  const auto found = topics_.find(dds_topic);
  if (--found->second.users == 0) {
    participant_->delete_topic(found->second.topic);
    topics_.erase(found);
  }
}

fast::DataWriter * Participant::create_plain_writer(
  const std::string & dds_topic, const MessageType & type, const Qos & qos)
{
  auto writer_qos = endpoint_qos<fast::DataWriterQos>(qos, type);
  // A lost message is noticed by its heartbeat; Fast DDS's own 3 s are long for a camera.
  writer_qos.reliable_writer_qos().times.heartbeatPeriod = {0, 200'000'000};
  fast::Topic * topic = acquire_topic(dds_topic, type);
  fast::DataWriter * writer = publisher_->create_datawriter(topic, writer_qos);
  if (writer == nullptr) {
    release_topic(dds_topic);
    throw Error("topic " + shown(dds_topic) + ": Fast DDS cannot create a publisher");
  }
  return writer;
}

fast::DataWriter * Participant::create_writer(
  const std::string & topic, const MessageType & type, const Qos & qos)
{
  fast::DataWriter * writer = create_plain_writer(dds_topic_name(topic), type, qos);
  graph_->add(to_gid(writer->guid()), Role::publisher);
  return writer;
}

void Participant::delete_writer(fast::DataWriter * writer)
{
  const Gid gid = to_gid(writer->guid());
  const std::string dds_topic = writer->get_topic()->get_name();
  publisher_->delete_datawriter(writer);
  release_topic(dds_topic);
  graph_->remove(gid, Role::publisher);
}

fast::DataReader * Participant::create_reader(
  const std::string & topic, const MessageType & type, const Qos & qos,
  fast::DataReaderListener * listener)
{
  const std::string dds_topic = dds_topic_name(topic);
  const auto reader_qos = endpoint_qos<fast::DataReaderQos>(qos, type);
  const auto events = fast::StatusMask::data_available()
                      << fast::StatusMask::subscription_matched();
  fast::Topic * shared_topic = acquire_topic(dds_topic, type);
  fast::DataReader * reader =
    subscriber_->create_datareader(shared_topic, reader_qos, listener, events);
  if (reader == nullptr) {
    release_topic(dds_topic);
    throw Error("topic " + shown(dds_topic) + ": Fast DDS cannot create a subscription");
  }
  graph_->add(to_gid(reader->guid()), Role::subscriber);
  return reader;
}

void Participant::delete_reader(fast::DataReader * reader)
{
  const Gid gid = to_gid(reader->guid());
  const std::string dds_topic = reader->get_topicdescription()->get_name();
  subscriber_->delete_datareader(reader);
  release_topic(dds_topic);
  graph_->remove(gid, Role::subscriber);
}

void Participant::DiscoveryListener::on_publisher_discovery(
  fast::DomainParticipant *, rtps::WriterDiscoveryInfo && info)
{
  const Gid gid = to_gid(info.info.guid());
  if (info.status == rtps::WriterDiscoveryInfo::REMOVED_WRITER) {
    topics_.remove(gid);
  } else {
    topics_.add(
      gid, Role::publisher, info.info.topicName().to_string(), info.info.typeName().to_string());
  }
}

void Participant::DiscoveryListener::on_subscriber_discovery(
  fast::DomainParticipant *, rtps::ReaderDiscoveryInfo && info)
{
  const Gid gid = to_gid(info.info.guid());
  if (info.status == rtps::ReaderDiscoveryInfo::REMOVED_READER) {
    topics_.remove(gid);
  } else {
    topics_.add(
      gid, Role::subscriber, info.info.topicName().to_string(), info.info.typeName().to_string());
  }
}

}  // namespace mgproto::dds
