// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// A stranger to talk to: does on Cyclone DDS what a ROS 2 node does, with code that shares nothing
// with ours. Same verbs and output as node_peer.cpp, and `graph`, which prints what ROS 2 would be
// told about nodes and types. Runs until it is killed.

#include <dds/dds.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "ros_messages.h"

namespace
{

dds_entity_t check(dds_entity_t entity, const char * what)
{
  if (entity < 0) {
    std::fprintf(stderr, "cyclone_peer: %s: %s\n", what, dds_strretcode(entity));
    std::exit(1);
  }
  return entity;
}

// As rmw_cyclonedds_cpp configures Cyclone DDS for ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST.
constexpr const char * localhost_range =
  "<CycloneDDS><Domain><General><AllowMulticast>false</AllowMulticast></General>"
  "<Discovery><ParticipantIndex>auto</ParticipantIndex>"
  "<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex>"
  "<Peers><Peer address=\"localhost\"/></Peers></Discovery></Domain></CycloneDDS>";

dds_entity_t join_domain()
{
  const char * id_text = std::getenv("ROS_DOMAIN_ID");
  const char * range = std::getenv("ROS_AUTOMATIC_DISCOVERY_RANGE");
  const auto id = static_cast<dds_domainid_t>(id_text != nullptr ? std::atoi(id_text) : 0);
  if (range != nullptr && std::string(range) == "LOCALHOST") {
    check(dds_create_domain(id, localhost_range), "domain");
  }
  return check(dds_create_participant(id, nullptr, nullptr), "participant");
}

dds_qos_t * ros_qos(bool latched)
{
  dds_qos_t * qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_MSECS(100));
  dds_qset_durability(qos, latched ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
  dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, latched ? 1 : 10);
  return qos;
}

// Every 50 ms.
template <class Message>
void publish(const dds_topic_descriptor_t & type, const std::string & topic, Message & message)
{
  const dds_entity_t participant = join_domain();
  const dds_entity_t dds_topic =
    check(dds_create_topic(participant, &type, topic.c_str(), nullptr, nullptr), "topic");
  const dds_entity_t writer =
    check(dds_create_writer(participant, dds_topic, ros_qos(false), nullptr), "writer");
  while (true) {
    dds_write(writer, &message);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

// Prints everything that has come.
template <class Message, class Print>
void take(dds_entity_t reader, Print print)
{
  void * sample = nullptr;
  dds_sample_info_t info;
  while (dds_take(reader, &sample, &info, 1, 1) > 0) {
    if (info.valid_data) {
      print(*static_cast<const Message *>(sample));
      std::fflush(stdout);
    }
    dds_return_loan(reader, &sample, 1);
    sample = nullptr;
  }
}

template <class Message, class Print>
void subscribe(const dds_topic_descriptor_t & type, const std::string & topic, Print print)
{
  const dds_entity_t participant = join_domain();
  const dds_entity_t dds_topic =
    check(dds_create_topic(participant, &type, topic.c_str(), nullptr, nullptr), "topic");
  const dds_entity_t reader =
    check(dds_create_reader(participant, dds_topic, ros_qos(false), nullptr), "reader");
  while (true) {
    take<Message>(reader, print);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void say(const std::string & topic, const std::string & text)
{
  std::string copy = text;
  std_msgs_msg_dds__String_ message{copy.data()};
  publish(std_msgs_msg_dds__String__desc, topic, message);
}

void hear(const std::string & topic)
{
  subscribe<std_msgs_msg_dds__String_>(
    std_msgs_msg_dds__String__desc, topic,
    [](const auto & message) { std::printf("heard %s\n", message.data); });
}

void show(const std::string & topic)
{
  constexpr uint32_t width = 640;
  constexpr uint32_t height = 480;
  std::vector<uint8_t> pixels(width * height * 3);
  for (size_t i = 0; i < pixels.size(); ++i) {
    pixels[i] = static_cast<uint8_t>(i * 31 + (i >> 8));
  }
  std::string frame_id = "camera";
  std::string encoding = "bgr8";
  sensor_msgs_msg_dds__Image_ message{};
  message.header.stamp.sec = 12;
  message.header.stamp.nanosec = 34;
  message.header.frame_id = frame_id.data();
  message.height = height;
  message.width = width;
  message.encoding = encoding.data();
  message.step = width * 3;
  message.data._length = message.data._maximum = static_cast<uint32_t>(pixels.size());
  message.data._buffer = pixels.data();
  publish(sensor_msgs_msg_dds__Image__desc, topic, message);
}

void look(const std::string & topic)
{
  subscribe<sensor_msgs_msg_dds__Image_>(
    sensor_msgs_msg_dds__Image__desc, topic, [](const auto & message) {
      uint32_t sum = 0;
      for (uint32_t i = 0; i < message.data._length; ++i) {
        sum = sum * 31 + message.data._buffer[i];
      }
      std::printf(
        "saw %ux%u %s step %u frame %s stamp %d.%u bytes %u sum %u\n", message.width,
        message.height, message.encoding, message.step, message.header.frame_id,
        message.header.stamp.sec, message.header.stamp.nanosec, message.data._length, sum);
    });
}

std::string gid_text(const uint8_t * gid)
{
  std::string text;
  char digits[3];
  for (int i = 0; i < 16; ++i) {
    std::snprintf(digits, sizeof(digits), "%02x", gid[i]);
    text += digits;
  }
  return text;
}

template <class GidSequence>
void print_gids(const char * title, const GidSequence & gids)
{
  std::printf(" %s", title);
  for (uint32_t i = 0; i < gids._length; ++i) {
    std::printf(" %s", gid_text(gids._buffer[i].data).c_str());
  }
}

// A writer or reader that Cyclone DDS has discovered.
void print_endpoint(const char * kind, const dds_builtintopic_endpoint_t & endpoint)
{
  void * user_data = nullptr;
  size_t size = 0;
  dds_qget_userdata(endpoint.qos, &user_data, &size);
  std::printf(
    "%s %s %s %s %s\n", kind, gid_text(endpoint.key.v).c_str(), endpoint.topic_name,
    endpoint.type_name, user_data != nullptr ? static_cast<const char *>(user_data) : "");
  dds_free(user_data);
}

void print_nodes(const rmw_dds_common_msg_dds__ParticipantEntitiesInfo_ & message)
{
  for (uint32_t i = 0; i < message.node_entities_info_seq._length; ++i) {
    const auto & node = message.node_entities_info_seq._buffer[i];
    std::printf("node %s %s", node.node_namespace, node.node_name);
    print_gids("writers", node.writer_gid_seq);
    print_gids("readers", node.reader_gid_seq);
    std::printf("\n");
  }
}

void graph()
{
  const dds_entity_t participant = join_domain();
  const dds_entity_t topic = check(
    dds_create_topic(
      participant, &rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc, "ros_discovery_info",
      nullptr, nullptr),
    "topic");
  const dds_entity_t nodes =
    check(dds_create_reader(participant, topic, ros_qos(true), nullptr), "nodes");
  const dds_entity_t writers = check(
    dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, nullptr, nullptr), "writers");
  const dds_entity_t readers = check(
    dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, nullptr, nullptr),
    "readers");
  while (true) {
    take<rmw_dds_common_msg_dds__ParticipantEntitiesInfo_>(nodes, print_nodes);
    take<dds_builtintopic_endpoint_t>(
      writers, [](const auto & endpoint) { print_endpoint("writer", endpoint); });
    take<dds_builtintopic_endpoint_t>(
      readers, [](const auto & endpoint) { print_endpoint("reader", endpoint); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace

int main(int argc, char ** argv)
{
  const std::string verb = argc > 1 ? argv[1] : "";
  const std::string topic = argc > 2 ? "rt" + std::string(argv[2]) : "";
  if (verb == "say" && argc == 4) {
    say(topic, argv[3]);
  } else if (verb == "hear" && argc == 3) {
    hear(topic);
  } else if (verb == "show" && argc == 3) {
    show(topic);
  } else if (verb == "look" && argc == 3) {
    look(topic);
  } else if (verb == "graph" && argc == 2) {
    graph();
  }
  std::fprintf(stderr, "cyclone_peer say|hear|show|look TOPIC [TEXT], or graph\n");
  return 2;
}
