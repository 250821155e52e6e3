// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Nodes that talk to other processes on this machine: to our own Node, and to Cyclone DDS used as
// ROS 2 uses it. Not covered: other machines.

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <sensor_msgs/msg/image.hpp>
#include <std_msgs/msg/string.hpp>
#include <string>

#include "dds/node.hpp"
#include "test/child_process.hpp"
#include "test/dds/conversation.hpp"

namespace mgproto::dds
{
namespace
{

using mgproto::test::ChildProcess;
using sensor_msgs::msg::Image;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std_msgs::msg::String;
using test::camera_image;
using test::eventually;
using test::Inbox;
using test::named;
using test::reliable;
using test::text;

// Publishes until the child prints such a line. Once is not enough: the other side may not know the
// publisher yet when the publisher knows it already.
template <class Message>
std::string answer_to(
  TypedPublisher<Message> & publisher, const Message & message, ChildProcess & child,
  const std::string & line_with)
{
  std::string line;
  eventually([&] {
    publisher.publish(message);
    line = child.wait_for_line(line_with, milliseconds(100));
    return !line.empty();
  });
  return line;
}

TEST(Node, NobodyIsMetWithDiscoverySwitchedOff)
{
  NodeOptions options = named("alone");
  options.discovery_range = DiscoveryRange::off;
  Node alone(options);
  Node other(named("other"));
  ChildProcess peer({MGPROTO_NODE_PEER, "say", "/words", "hello"});
  ASSERT_TRUE(other.wait_for_type("/words", seconds(20)));

  EXPECT_FALSE(alone.wait_for_type("/words", milliseconds(300)));
}

// The same conversations with different strangers; the parameter is the program to talk to.
class Peer : public ::testing::TestWithParam<const char *>
{
protected:
  const std::string program_ = GetParam();
};

TEST_P(Peer, ItsImageArrivesHere)
{
  Node eyes(named("eyes"));
  Inbox<Image> inbox;
  auto subscription = eyes.create_subscription<Image>("/image", sensor_data_qos, inbox.callback());

  ChildProcess peer({program_, "show", "/image"});

  ASSERT_TRUE(eventually([&] { return inbox.has(3); }));
  EXPECT_EQ(*inbox.messages()[2], camera_image());
  EXPECT_EQ(subscription.refused_count(), 0u);
}

TEST_P(Peer, ItSeesOurImage)
{
  Node camera(named("camera"));
  auto publisher = camera.create_publisher<Image>("/image", reliable);
  const Image image = camera_image();
  uint32_t sum = 0;
  for (const uint8_t byte : image.data) {
    sum = sum * 31 + byte;
  }
  ChildProcess peer({program_, "look", "/image"});

  EXPECT_EQ(
    answer_to(publisher, image, peer, "saw"),
    "saw 640x480 bgr8 step 1920 frame camera stamp 12.34 bytes 921600 sum " + std::to_string(sum));
}

TEST_P(Peer, WordsGoBothWays)
{
  Node node(named("talker"));
  Inbox<String> inbox;
  auto subscription = node.create_subscription<String>("/theirs", reliable, inbox.callback());
  auto publisher = node.create_publisher<String>("/ours", reliable);

  ChildProcess speaker({program_, "say", "/theirs", "guten Tag"});
  ChildProcess listener({program_, "hear", "/ours"});

  ASSERT_TRUE(eventually([&] { return inbox.has(1); }));
  EXPECT_EQ(inbox.messages()[0]->data, "guten Tag");
  EXPECT_EQ(answer_to(publisher, text("good day"), listener, "heard"), "heard good day");
}

TEST_P(Peer, ItIsMetAgainAfterKill9)
{
  Node eyes(named("eyes"));
  Inbox<Image> inbox;
  auto subscription = eyes.create_subscription<Image>("/image", reliable, inbox.callback());
  constexpr int lives = 3;
  for (int life = 0; life < lives; ++life) {
    const size_t before = inbox.messages().size();
    ChildProcess peer({program_, "show", "/image"});

    EXPECT_TRUE(eventually([&] { return inbox.has(before + 3); })) << "life " << life;

    if (life + 1 < lives) {
      peer.kill_now();
    }
  }
  EXPECT_EQ(*inbox.messages().back(), camera_image());
}

TEST_P(Peer, APublisherGoesOnWhenASubscriberIsKilled)
{
  Node camera(named("camera"));
  auto publisher = camera.create_publisher<Image>("/image", reliable);
  const Image image = camera_image();
  ChildProcess doomed({program_, "look", "/image"});
  ChildProcess other({program_, "look", "/image"});
  ASSERT_NE(answer_to(publisher, image, doomed, "saw"), "");
  ASSERT_NE(answer_to(publisher, image, other, "saw"), "");

  doomed.kill_now();

  for (int i = 0; i < 50; ++i) {
    ASSERT_NE(answer_to(publisher, image, other, "saw"), "");
  }
}

std::string program_name(const ::testing::TestParamInfo<const char *> & info)
{
  return std::string(info.param).find("cyclone") != std::string::npos ? "CycloneDds" : "OurNode";
}

INSTANTIATE_TEST_SUITE_P(
  Programs, Peer,
  ::testing::Values(
    MGPROTO_NODE_PEER
#ifdef MGPROTO_CYCLONE_PEER
    ,
    MGPROTO_CYCLONE_PEER
#endif
    ),
  program_name);

#ifdef MGPROTO_CYCLONE_PEER
TEST(Graph, RosIsToldNodeNamesEndpointsAndTypeHashes)
{
  NodeOptions options = named("eyes");
  options.name_space = "/robot";
  Node node(options);
  auto publisher = node.create_publisher<Image>("/image", reliable);
  std::optional<Subscription> subscription =
    node.create_subscription<String>("/words", reliable, [](std::shared_ptr<const String>) {});

  ChildProcess ros({MGPROTO_CYCLONE_PEER, "graph"});

  // Cyclone DDS saw these writers and readers itself; their ids are what the node must name.
  const auto endpoint = [&ros](const std::string & kind, const std::string & description) {
    const std::string line = ros.wait_for_line(" " + description);
    EXPECT_EQ(line.find(kind + " "), 0u) << line;
    return line.substr(kind.size() + 1, 32);
  };
  const std::string writer = endpoint(
    "writer",
    "rt/image sensor_msgs::msg::dds_::Image_ typehash=" + message_type<Image>().hash() + ";");
  const std::string reader = endpoint(
    "reader",
    "rt/words std_msgs::msg::dds_::String_ typehash=" + message_type<String>().hash() + ";");
  const std::string name = "node /robot eyes writers " + writer + " readers";
  EXPECT_EQ(ros.wait_for_line(name), name + " " + reader);
  subscription.reset();
  EXPECT_EQ(ros.wait_for_line(name), name);
}
#endif

}  // namespace
}  // namespace mgproto::dds
