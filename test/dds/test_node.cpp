// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Nodes that really talk over DDS, in one process.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <sensor_msgs/msg/image.hpp>
#include <std_msgs/msg/string.hpp>
#include <string>
#include <thread>
#include <vector>

#include "dds/node.hpp"
#include "test/dds/conversation.hpp"

namespace mgproto::dds
{
namespace
{

using sensor_msgs::msg::Image;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std_msgs::msg::String;
using test::best_effort;
using test::camera_image;
using test::connected;
using test::eventually;
using test::Inbox;
using test::named;
using test::reliable;
using test::text;

std::optional<TopicInfo> topic_info(const Node & node, const std::string & topic)
{
  for (const TopicInfo & info : node.topics()) {
    if (info.name == topic) {
      return info;
    }
  }
  return std::nullopt;
}

TEST(Node, AnImageArrivesAsItWasSent)
{
  Node camera(named("camera"));
  Node eyes(named("eyes"));
  Inbox<Image> inbox;
  auto publisher = camera.create_publisher<Image>("/image", reliable);
  auto subscription = eyes.create_subscription<Image>("/image", reliable, inbox.callback());
  ASSERT_TRUE(connected(publisher, subscription));
  const Image sent = camera_image();

  ASSERT_TRUE(publisher.publish(sent));

  ASSERT_TRUE(eventually([&] { return inbox.has(1); }));
  EXPECT_EQ(*inbox.messages()[0], sent);
}

TEST(Node, AnImageOf8KArrives)
{
  Node camera(named("camera"));
  Node eyes(named("eyes"));
  Inbox<Image> inbox;
  auto publisher = camera.create_publisher<Image>("/image", Qos{true, false, 1});
  auto subscription =
    eyes.create_subscription<Image>("/image", Qos{true, false, 1}, inbox.callback());
  ASSERT_TRUE(connected(publisher, subscription));
  const Image sent = camera_image(7680, 4320);

  ASSERT_TRUE(publisher.publish(sent));

  ASSERT_TRUE(eventually([&] { return inbox.has(1); }, seconds(60)));
  EXPECT_TRUE(*inbox.messages()[0] == sent);
}

TEST(Node, ANodeHearsItself)
{
  Node node(named("echo"));
  Inbox<String> inbox;
  auto publisher = node.create_publisher<String>("~/words", reliable);
  auto subscription = node.create_subscription<String>("~/words", reliable, inbox.callback());
  ASSERT_TRUE(connected(publisher, subscription));

  publisher.publish(text("hello"));

  ASSERT_TRUE(eventually([&] { return inbox.has(1); }));
  EXPECT_EQ(publisher.topic(), "/echo/words");
}

TEST(Node, ALateSubscriberGetsTheLastLatchedMessageOnly)
{
  Node speaker(named("speaker"));
  auto publisher = speaker.create_publisher<String>("/labels", latched_qos);
  for (const char * words : {"first", "second", "last"}) {
    publisher.publish(text(words));
  }
  Node late(named("late"));
  Inbox<String> inbox;

  auto subscription = late.create_subscription<String>("/labels", latched_qos, inbox.callback());

  ASSERT_TRUE(eventually([&] { return inbox.has(1); }));
  publisher.publish(text("after"));
  ASSERT_TRUE(eventually([&] { return inbox.has(2); }));
  EXPECT_EQ(inbox.messages()[0]->data, "last");
  EXPECT_EQ(inbox.messages()[1]->data, "after");
}

TEST(Node, ALateSubscriberGetsNothingOldFromAVolatilePublisher)
{
  Node speaker(named("speaker"));
  auto publisher = speaker.create_publisher<String>("/words", reliable);
  publisher.publish(text("missed"));
  Node late(named("late"));
  Inbox<String> inbox;
  auto subscription = late.create_subscription<String>("/words", reliable, inbox.callback());
  ASSERT_TRUE(connected(publisher, subscription));

  publisher.publish(text("heard"));

  ASSERT_TRUE(eventually([&] { return inbox.has(1); }));
  EXPECT_EQ(inbox.messages()[0]->data, "heard");
}

TEST(Node, ABestEffortSubscriberHearsAReliablePublisher)
{
  Node speaker(named("speaker"));
  Node listener(named("listener"));
  Inbox<String> inbox;
  auto publisher = speaker.create_publisher<String>("/words", reliable);
  auto subscription = listener.create_subscription<String>("/words", best_effort, inbox.callback());
  ASSERT_TRUE(connected(publisher, subscription));

  EXPECT_TRUE(eventually([&] {
    publisher.publish(text("hello"));
    return inbox.has(1);
  }));
}

TEST(Node, AReliableSubscriberDoesNotConnectToABestEffortPublisher)
{
  Node speaker(named("speaker"));
  Node listener(named("listener"));
  Inbox<String> strict_inbox;
  Inbox<String> modest_inbox;
  auto publisher = speaker.create_publisher<String>("/words", best_effort);
  auto strict = listener.create_subscription<String>("/words", reliable, strict_inbox.callback());
  auto modest =
    listener.create_subscription<String>("/words", best_effort, modest_inbox.callback());

  ASSERT_TRUE(eventually([&] { return modest.publisher_count() == 1; }));

  EXPECT_EQ(strict.publisher_count(), 0);
}

TEST(Node, CountsFollowThoseWhoComeAndGo)
{
  Node speaker(named("speaker"));
  Node listener(named("listener"));
  auto publisher = speaker.create_publisher<String>("/words", reliable);
  std::optional<TypedPublisher<String>> other =
    speaker.create_publisher<String>("/words", reliable);
  EXPECT_EQ(publisher.subscription_count(), 0);
  const auto ignore = [](std::shared_ptr<const String>) {};
  std::optional<Subscription> first =
    listener.create_subscription<String>("/words", reliable, ignore);
  std::optional<Subscription> second =
    listener.create_subscription<String>("/words", reliable, ignore);

  EXPECT_TRUE(eventually([&] { return publisher.subscription_count() == 2; }));
  EXPECT_TRUE(eventually([&] { return first->publisher_count() == 2; }));
  EXPECT_TRUE(eventually([&] {
    const auto info = topic_info(speaker, "/words");
    return info && info->publishers == 2 && info->subscribers == 2;
  }));

  other.reset();
  EXPECT_TRUE(eventually([&] { return first->publisher_count() == 1; }));
  first.reset();
  EXPECT_TRUE(eventually([&] { return publisher.subscription_count() == 1; }));
  second.reset();
  EXPECT_TRUE(eventually([&] { return publisher.subscription_count() == 0; }));
  EXPECT_TRUE(eventually([&] { return topic_info(listener, "/words")->subscribers == 0; }));
}

TEST(Node, TheTypeOfATopicCanBeAskedFor)
{
  Node asker(named("asker"));
  EXPECT_FALSE(asker.wait_for_type("/image", milliseconds(50)));
  Node camera(named("camera"));
  auto publisher = camera.create_publisher<Image>("/image", reliable);

  EXPECT_EQ(asker.wait_for_type("/image", seconds(20)), "sensor_msgs/msg/Image");
}

TEST(Node, BytesThatAreNoMessageAreCountedAndReportedOnce)
{
  std::vector<std::string> warnings;
  NodeOptions options = named("listener");
  options.warn = [&warnings](const std::string & line) { warnings.push_back(line); };
  Node speaker(named("speaker"));
  Node listener(options);
  Inbox<Image> inbox;
  auto publisher = speaker.create_publisher("/image", message_type<Image>(), reliable);
  auto subscription = listener.create_subscription<Image>("/image", reliable, inbox.callback());
  ASSERT_TRUE(connected(publisher, subscription));
  const std::vector<uint8_t> garbage{0, 1, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f};

  publisher.publish_bytes(garbage.data(), garbage.size());
  publisher.publish_bytes(garbage.data(), 4);
  const Image good = camera_image(4, 2);
  publisher.publish(&good);

  ASSERT_TRUE(eventually([&] { return inbox.has(1); }));
  EXPECT_EQ(*inbox.messages()[0], good);
  EXPECT_EQ(subscription.refused_count(), 2u);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].find("/image: message refused: "), 0u) << warnings[0];
}

TEST(Node, ACallbackThatThrowsGetsTheNextMessage)
{
  NodeOptions options = named("listener");
  options.warn = [](const std::string &) {};
  Node listener(options);
  std::atomic<int> calls{0};
  auto publisher = listener.create_publisher<String>("/words", reliable);
  auto subscription =
    listener.create_subscription<String>("/words", reliable, [&](std::shared_ptr<const String>) {
      ++calls;
      throw Error("no");
    });
  ASSERT_TRUE(connected(publisher, subscription));

  publisher.publish(text("one"));
  publisher.publish(text("two"));

  EXPECT_TRUE(eventually([&] { return calls == 2 && subscription.refused_count() == 2; }));
}

TEST(Node, BytesTooFewForAHeaderAreNotSent)
{
  Node speaker(named("speaker"));
  auto publisher = speaker.create_publisher("/words", message_type<String>(), reliable);
  const uint8_t bytes[] = {0, 1, 0};
  EXPECT_FALSE(publisher.publish_bytes(bytes, sizeof(bytes)));
  EXPECT_FALSE(publisher.publish_bytes(nullptr, 0));
}

TEST(Node, PublishersAndSubscriptionsMayOutliveTheirNode)
{
  std::optional<Node> node(named("short_lived"));
  Inbox<String> inbox;
  auto publisher = node->create_publisher<String>("/words", reliable);
  auto subscription = node->create_subscription<String>("/words", reliable, inbox.callback());

  node.reset();

  ASSERT_TRUE(connected(publisher, subscription));
  publisher.publish(text("still here"));
  EXPECT_TRUE(eventually([&] { return inbox.has(1); }));
}

TEST(Node, NoCallbackRunsAfterASubscriptionIsGone)
{
  Node speaker(named("speaker"));
  Node listener(named("listener"));
  auto publisher = speaker.create_publisher<String>("/words", reliable);
  std::atomic<bool> stop{false};
  std::thread talk([&] {
    while (!stop) {
      publisher.publish(text("and on and on"));
      std::this_thread::sleep_for(milliseconds(1));
    }
  });
  for (int round = 0; round < 10; ++round) {
    // Freed with the subscription: a late callback would be seen by AddressSanitizer.
    auto calls = std::make_unique<std::atomic<int>>(0);
    std::atomic<bool> gone{false};
    std::atomic<bool> called_late{false};
    std::optional<Subscription> subscription = listener.create_subscription<String>(
      "/words", reliable, [&, count = calls.get()](std::shared_ptr<const String>) {
        std::this_thread::sleep_for(milliseconds(2));
        called_late = called_late || gone;
        ++*count;
      });
    EXPECT_TRUE(eventually([&] { return *calls > 0; }));

    subscription.reset();
    gone = true;

    calls.reset();
    std::this_thread::sleep_for(milliseconds(10));
    EXPECT_FALSE(called_late);
  }
  stop = true;
  talk.join();
}

TEST(Node, TopicsAreExpandedAndRemapped)
{
  NodeOptions options = named("eyes");
  options.name_space = "/robot";
  options.remappings = {
    parse_remapping("~/input/image:=/camera/image"), parse_remapping("__node:=left_eye")};
  Node node(options);
  EXPECT_EQ(node.name().full(), "/robot/left_eye");
  EXPECT_EQ(node.resolve("~/input/image"), "/camera/image");
  EXPECT_EQ(node.resolve("~/output"), "/robot/left_eye/output");
  auto publisher = node.create_publisher<String>("~/input/image", reliable);
  EXPECT_EQ(publisher.topic(), "/camera/image");
}

TEST(Node, AWrongUseIsRefusedWithALineThatNamesIt)
{
  Node node(named("eyes"));
  auto publisher = node.create_publisher<String>("/words", reliable);
  try {
    node.create_publisher<Image>("/words", reliable);
    FAIL() << "a second type was accepted";
  } catch (const Error & error) {
    EXPECT_STREQ(
      error.what(),
      "topic /words: this node already uses it with type std_msgs/msg/String, not "
      "sensor_msgs/msg/Image");
  }
  EXPECT_THROW(node.create_publisher<String>("/a b", reliable), ConfigError);
  EXPECT_THROW(node.create_publisher<String>("/other", Qos{true, false, 0}), ConfigError);
  EXPECT_THROW(Node(named("2eyes")), ConfigError);
  NodeOptions options = named("eyes");
  options.domain_id = 233;
  EXPECT_THROW(Node{options}, ConfigError);
}

}  // namespace
}  // namespace mgproto::dds
