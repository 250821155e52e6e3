// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// `mgproto gate` as a process of its own, told flags over real DDS by a node in this one that listens
// to what it says.

#include <gtest/gtest.h>

#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <mgproto_ros/msg/ood_flag.hpp>
#include <std_msgs/msg/bool.hpp>
#ifdef MGPROTO_NAV2_MSGS
#include <nav2_msgs/msg/speed_limit.hpp>
#endif

#include "child_process.hpp"
#include "dds/conversation.hpp"
#include "perception/frame.hpp"

namespace mgproto::dds
{
namespace
{

using mgproto::test::ChildProcess;
using mgproto_ros::msg::OodFlag;
using std_msgs::msg::Bool;
using test::eventually;
using test::Inbox;
using test::named;
using test::reliable;

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

class TrustGateHostTest : public ::testing::Test
{
protected:
  std::unique_ptr<ChildProcess> start_gate(std::vector<std::string> more = {})
  {
    std::vector<std::string> command{MGPROTO_COMMAND, "gate", "-p",
                                     "timeout:=0.5",  "-p",   "recover_seconds:=0.3"};
    command.insert(command.end(), more.begin(), more.end());
    return std::make_unique<ChildProcess>(command);
  }

  template <class Message>
  Subscription listen(const std::string & topic, Inbox<Message> & inbox, Qos qos = reliable)
  {
    return node.create_subscription<Message>(topic, qos, inbox.callback());
  }

  static OodFlag flag(bool unknown, double age = 0)
  {
    OodFlag message;
    const std::int64_t stamp =
      perception::current_stamp().nanoseconds() - static_cast<std::int64_t>(age * 1e9);
    message.header.stamp.sec = static_cast<std::int32_t>(stamp / 1000000000);
    message.header.stamp.nanosec = static_cast<std::uint32_t>(stamp % 1000000000);
    message.unknown = unknown;
    message.reason = unknown ? "unlike anything in training" : "";
    return message;
  }

  /// Whether the gate comes to say so while such flags are sent.
  bool says(bool trusted, bool unknown, double age = 0)
  {
    return eventually(
      [&] {
        flags.publish(flag(unknown, age));
        std::this_thread::sleep_for(milliseconds(20));
        return said(trusted);
      },
      std::chrono::seconds(10));
  }
  bool said(bool trusted) const
  {
    const auto messages = trusts.messages();
    return !messages.empty() && messages.back()->data == trusted;
  }
  std::string diagnosis() const
  {
    const auto messages = diagnostics.messages();
    return messages.empty() ? "" : messages.back()->status.at(0).message;
  }
  bool is_diagnosed(const std::string & text)
  {
    return eventually(
      [&] { return diagnosis().find(text) != std::string::npos; }, std::chrono::seconds(10));
  }

  Node node{named("robot")};
  TypedPublisher<OodFlag> flags{node.create_publisher<OodFlag>("/trust_gate/input/ood", reliable)};
  Inbox<Bool> trusts;
  Inbox<diagnostic_msgs::msg::DiagnosticArray> diagnostics;
  Subscription trust_subscription{listen("/trust_gate/output/trusted", trusts)};
  Subscription diagnostics_subscription{listen("/diagnostics", diagnostics)};
};

TEST_F(TrustGateHostTest, DoesNotTrustBeforeTheFirstFlag)
{
  const auto gate = start_gate();
  ASSERT_TRUE(eventually([&] { return trusts.has(3); }));  // repeated by its rate
  for (const auto & message : trusts.messages()) {
    EXPECT_FALSE(message->data);
  }
  EXPECT_EQ(diagnosis(), "not trusted: /trust_gate/input/ood: nothing heard yet");
}

TEST_F(TrustGateHostTest, FallsForSilenceAndForAnUnknownImageAndRecovers)
{
  const auto gate = start_gate();
  ASSERT_TRUE(says(true, false));

  ASSERT_TRUE(eventually([&] { return said(false); }));  // silence
  EXPECT_NE(diagnosis().find("silent for 0.5 s"), std::string::npos) << diagnosis();

  ASSERT_TRUE(says(true, false));
  flags.publish(flag(true));
  const auto begin = Clock::now();
  ASSERT_TRUE(eventually([&] { return said(false); }));
  EXPECT_LT(Clock::now() - begin, milliseconds(400));  // before silence would have told it
  EXPECT_NE(diagnosis().find("unknown: unlike anything in training"), std::string::npos)
    << diagnosis();

  const auto known_since = Clock::now();
  ASSERT_TRUE(says(true, false));
  EXPECT_GE(Clock::now() - known_since, milliseconds(300));
}

TEST_F(TrustGateHostTest, DoesNotTrustImagesThatAreOldByTheirStamps)
{
  const auto gate = start_gate();
  ASSERT_TRUE(says(true, false));
  ASSERT_TRUE(eventually([&] { return said(false); }));
  const auto end = Clock::now() + std::chrono::seconds(1);
  while (Clock::now() < end) {
    flags.publish(flag(false, 30));
    std::this_thread::sleep_for(milliseconds(20));
    EXPECT_TRUE(said(false));
  }
  EXPECT_TRUE(is_diagnosed("its image is 30.0 s old by its stamp")) << diagnosis();
}

TEST_F(TrustGateHostTest, NeedsEverySource)
{
  auto rear = node.create_publisher<OodFlag>("/rear/ood", reliable);
  const auto gate = start_gate({"-p", "flags:=[~/input/ood, /rear/ood]"});
  EXPECT_TRUE(is_diagnosed("/rear/ood: nothing heard yet"));
  ASSERT_TRUE(eventually([&] {
    flags.publish(flag(false));
    rear.publish(flag(false));
    std::this_thread::sleep_for(milliseconds(20));
    return said(true);
  }));
  ASSERT_TRUE(says(false, false));  // the front alone
  EXPECT_TRUE(is_diagnosed("/rear/ood: silent for"));
}

TEST_F(TrustGateHostTest, TellsALateListenerAtOnce)
{
  const auto gate = start_gate({"-p", "rate:=0.1"});
  ASSERT_TRUE(eventually([&] { return trust_subscription.publisher_count() > 0; }));
  Inbox<Bool> late;
  const auto subscription = listen("/trust_gate/output/trusted", late, latched_qos);
  EXPECT_TRUE(eventually([&] { return late.has(1); }, std::chrono::seconds(5)));
}

TEST_F(TrustGateHostTest, TakesABrokenMessageForNone)
{
  Publisher bytes =
    node.create_publisher("/trust_gate/input/ood", message_type<OodFlag>(), reliable);
  const auto gate = start_gate();
  ASSERT_TRUE(says(true, false));
  const std::vector<std::uint8_t> garbage{0, 1, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff};
  ASSERT_TRUE(eventually([&] {
    bytes.publish_bytes(garbage.data(), garbage.size());
    std::this_thread::sleep_for(milliseconds(20));
    return said(false);
  }));
  EXPECT_TRUE(says(true, false));
}

#ifdef MGPROTO_NAV2_MSGS
TEST_F(TrustGateHostTest, LimitsTheSpeedInPercent)
{
  using nav2_msgs::msg::SpeedLimit;
  Inbox<SpeedLimit> limits;
  const auto subscription = listen("/speed_limit", limits);  // as Nav2 does: not latched
  const auto gate =
    start_gate({"-p", "speed.untrusted:=15.5", "-r", "~/output/speed_limit:=/speed_limit"});
  const auto limited_to = [&](double percent) {
    const auto messages = limits.messages();
    return !messages.empty() && messages.back()->percentage &&
           messages.back()->speed_limit == percent;
  };

  ASSERT_TRUE(eventually([&] { return limited_to(15.5); }));
  ASSERT_TRUE(says(true, false));
  EXPECT_TRUE(eventually([&] { return limited_to(100); }, milliseconds(300)));
  ASSERT_TRUE(eventually([&] { return limited_to(15.5); }));
  for (const auto & message : limits.messages()) {
    EXPECT_GT(message->speed_limit, 0);  // which would mean no limit
    EXPECT_GT(message->header.stamp.sec, 0);
  }
}
#endif

}  // namespace
}  // namespace mgproto::dds
