// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Our own Node in a process of its own, for tests that need two. Same verbs and output as
// cyclone_peer.cpp. Runs until SIGTERM, on which it leaves properly.

#include <signal.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <sensor_msgs/msg/image.hpp>
#include <std_msgs/msg/string.hpp>
#include <string>

#include "dds/node.hpp"
#include "test/dds/conversation.hpp"

namespace
{

using mgproto::dds::Node;
using mgproto::dds::Qos;
using sensor_msgs::msg::Image;
using std_msgs::msg::String;

// Waits for SIGTERM; false after the timeout.
bool asked_to_end(std::chrono::milliseconds timeout)
{
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const timespec time{timeout.count() / 1000, timeout.count() % 1000 * 1'000'000};
  return sigtimedwait(&signals, nullptr, &time) == SIGTERM;
}

// Every 50 ms.
template <class Message>
void publish(Node & node, const std::string & topic, const Message & message)
{
  auto publisher = node.create_publisher<Message>(topic, Qos{});
  do {
    publisher.publish(message);
  } while (!asked_to_end(std::chrono::milliseconds(50)));
}

void say(Node & node, const std::string & topic, const std::string & text)
{
  String message;
  message.data = text;
  publish(node, topic, message);
}

void hear(Node & node, const std::string & topic)
{
  const auto subscription =
    node.create_subscription<String>(topic, Qos{}, [](std::shared_ptr<const String> message) {
      std::printf("heard %s\n", message->data.c_str());
      std::fflush(stdout);
    });
  while (!asked_to_end(std::chrono::hours(1))) {
  }
}

void show(Node & node, const std::string & topic)
{
  publish(node, topic, mgproto::dds::test::camera_image());
}

void look(Node & node, const std::string & topic)
{
  const auto subscription =
    node.create_subscription<Image>(topic, Qos{}, [](std::shared_ptr<const Image> message) {
      uint32_t sum = 0;
      for (const uint8_t byte : message->data) {
        sum = sum * 31 + byte;
      }
      std::printf(
        "saw %ux%u %s step %u frame %s stamp %d.%u bytes %zu sum %u\n", message->width,
        message->height, message->encoding.c_str(), message->step, message->header.frame_id.c_str(),
        message->header.stamp.sec, message->header.stamp.nanosec, message->data.size(), sum);
      std::fflush(stdout);
    });
  while (!asked_to_end(std::chrono::hours(1))) {
  }
}

}  // namespace

int main(int argc, char ** argv)
{
  const std::string verb = argc > 1 ? argv[1] : "";
  if (asked_to_end(std::chrono::milliseconds(0))) {  // blocks the signal before there are threads
    return 0;
  }
  mgproto::dds::NodeOptions options;
  options.name = "peer";
  Node node(options);
  if (verb == "say" && argc == 4) {
    say(node, argv[2], argv[3]);
  } else if (verb == "hear" && argc == 3) {
    hear(node, argv[2]);
  } else if (verb == "show" && argc == 3) {
    show(node, argv[2]);
  } else if (verb == "look" && argc == 3) {
    look(node, argv[2]);
  } else {
    std::fprintf(stderr, "node_peer say|hear|show|look TOPIC [TEXT]\n");
    return 2;
  }
  return 0;
}
