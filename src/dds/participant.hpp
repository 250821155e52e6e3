// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__PARTICIPANT_HPP_
#define DDS__PARTICIPANT_HPP_

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantListener.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/Topic.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "dds/discovered_topics.hpp"
#include "dds/environment.hpp"
#include "dds/graph_announcement.hpp"
#include "dds/message_type.hpp"
#include "dds/qos.hpp"
#include "dds/topic_names.hpp"

namespace mgproto::dds
{

/// A node's place in the DDS domain: makes writers and readers, announces them to ROS 2 and listens
/// to what others announce. Endpoints share it, so that it lives until the last of them is gone.
/// Thread-safe. Throws Error where DDS refuses.
class Participant
{
public:
  /// `with_shared_memory`: exchange messages with nodes of this machine that way.
  Participant(const NodeName & node, int domain_id, DiscoveryRange range, bool with_shared_memory);
  ~Participant();
  Participant(const Participant &) = delete;
  Participant & operator=(const Participant &) = delete;

  /// `topic` is absolute. Each endpoint must be given back by delete_...().
  eprosima::fastdds::dds::DataWriter * create_writer(
    const std::string & topic, const MessageType & type, const Qos & qos);
  void delete_writer(eprosima::fastdds::dds::DataWriter * writer);

  /// The listener may be called before this returns, and not any more after delete_reader().
  eprosima::fastdds::dds::DataReader * create_reader(
    const std::string & topic, const MessageType & type, const Qos & qos,
    eprosima::fastdds::dds::DataReaderListener * listener);
  void delete_reader(eprosima::fastdds::dds::DataReader * reader);

  const DiscoveredTopics & discovered() const { return discovered_; }

private:
  class DiscoveryListener : public eprosima::fastdds::dds::DomainParticipantListener
  {
  public:
    explicit DiscoveryListener(DiscoveredTopics & topics) : topics_(topics) {}
    void on_publisher_discovery(
      eprosima::fastdds::dds::DomainParticipant * participant,
      eprosima::fastrtps::rtps::WriterDiscoveryInfo && info) override;
    void on_subscriber_discovery(
      eprosima::fastdds::dds::DomainParticipant * participant,
      eprosima::fastrtps::rtps::ReaderDiscoveryInfo && info) override;

  private:
    DiscoveredTopics & topics_;
  };

  // DDS knows a topic once, however many endpoints use it.
  struct SharedTopic
  {
    eprosima::fastdds::dds::Topic * topic = nullptr;
    int users = 0;
  };

  eprosima::fastdds::dds::Topic * acquire_topic(
    const std::string & dds_topic, const MessageType & type);
  void release_topic(const std::string & dds_topic);
  eprosima::fastdds::dds::DataWriter * create_plain_writer(
    const std::string & dds_topic, const MessageType & type, const Qos & qos);

  DiscoveredTopics discovered_;
  DiscoveryListener listener_{discovered_};
  std::mutex topics_mutex_;
  std::map<std::string, SharedTopic> topics_;  // by DDS name
  eprosima::fastdds::dds::DomainParticipant * participant_ = nullptr;
  eprosima::fastdds::dds::Publisher * publisher_ = nullptr;
  eprosima::fastdds::dds::Subscriber * subscriber_ = nullptr;
  std::optional<GraphAnnouncement> graph_;
};

}  // namespace mgproto::dds

#endif  // DDS__PARTICIPANT_HPP_
