// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "messages/trust_messages.hpp"

namespace mgproto::messages
{
namespace
{

/// Where what is published goes to.
struct SentTrust
{
  std_msgs::msg::Bool trusted;
#ifdef MGPROTO_NAV2_MSGS
  nav2_msgs::msg::SpeedLimit speed_limit;
#endif
  diagnostic_msgs::msg::DiagnosticArray diagnostics;
};

TEST(TrustMessages, ReadAFlag)
{
  mgproto_ros::msg::OodFlag message;
  message.header.stamp.sec = 7;
  message.header.stamp.nanosec = 8;
  message.unknown = true;
  message.reason = "unlike anything in training";
  message.detection_id = "box 3";

  const perception::OodFlag flag = read_flag(message);

  EXPECT_EQ(flag.stamp, (perception::Stamp{7, 8}));
  EXPECT_TRUE(flag.unknown);
  EXPECT_EQ(flag.reason, "unlike anything in training");
  EXPECT_EQ(flag.detection_id, "box 3");
  EXPECT_FALSE(read_flag(mgproto_ros::msg::OodFlag()).unknown);
}

TEST(TrustMessages, SayTrustLimitAndDiagnosis)
{
  perception::Diagnosis diagnosis;
  diagnosis.level = perception::Level::warn;
  diagnosis.name = "trust";
  diagnosis.message = "not trusted: /ood: silent for 1.3 s";
  SentTrust sent;

  publish_trust(
    {false, 12.5, "/ood: silent for 1.3 s"}, diagnosis, "/trust_gate", {5, 6}, sent,
    [](auto & to, const auto & message) { to = message; });

  EXPECT_FALSE(sent.trusted.data);
#ifdef MGPROTO_NAV2_MSGS
  EXPECT_TRUE(sent.speed_limit.percentage);
  EXPECT_EQ(sent.speed_limit.speed_limit, 12.5);
  EXPECT_EQ(sent.speed_limit.header.stamp.sec, 5);
  EXPECT_EQ(sent.speed_limit.header.stamp.nanosec, 6u);
#endif
  ASSERT_EQ(sent.diagnostics.status.size(), 1u);
  EXPECT_EQ(sent.diagnostics.status[0].name, "/trust_gate: trust");
  EXPECT_EQ(sent.diagnostics.status[0].message, diagnosis.message);

  publish_trust(
    {true, 100, ""}, diagnosis, "/trust_gate", {5, 6}, sent,
    [](auto & to, const auto & message) { to = message; });
  EXPECT_TRUE(sent.trusted.data);
}

/// What a gate that nobody has told anything says of itself.
diagnostic_msgs::msg::DiagnosticStatus status_of(perception::TrustGate & gate)
{
  const perception::Moment now{perception::TrustGate::Clock::time_point(), {5, 6}};
  gate.news(now);
  return diagnostics_message({gate.diagnosis(now)}, "/robot/trust_gate", {5, 6}).status.at(0);
}

TEST(TrustMessages, AreReadFromDiagnosticsAgain)
{
  perception::TrustGate gate({"/ood"}, {});
  const auto doubting = read_trust(status_of(gate));
  ASSERT_TRUE(doubting);
  EXPECT_EQ(doubting->gate, "/robot/trust_gate");
  EXPECT_FALSE(doubting->trust.trusted);
  EXPECT_EQ(doubting->trust.speed_limit, 20);
  EXPECT_EQ(doubting->trust.reason, "/ood: nothing heard yet");
  EXPECT_EQ(doubting->period, 0.5);

  perception::GateSettings settings;
  settings.recover_seconds = 0;
  gate.set_settings(settings);
  gate.add(0, {{5, 6}, false, "", ""}, {perception::TrustGate::Clock::time_point(), {5, 6}});
  const auto trusting = read_trust(status_of(gate));
  ASSERT_TRUE(trusting);
  EXPECT_TRUE(trusting->trust.trusted);
  EXPECT_EQ(trusting->trust.speed_limit, 100);
  EXPECT_EQ(trusting->trust.reason, "");
}

TEST(TrustMessages, AreNotReadFromStatusesOfOthers)
{
  perception::TrustGate gate({"/ood"}, {});
  const auto status = status_of(gate);

  auto foreign = status;
  foreign.hardware_id = "battery";
  EXPECT_FALSE(read_trust(foreign));
  auto other = status;
  other.name = "/mgproto: recognition";
  EXPECT_FALSE(read_trust(other));
  auto nameless = status;
  nameless.name = ": trust";
  EXPECT_FALSE(read_trust(nameless));
  auto empty = status;
  empty.values.clear();
  EXPECT_FALSE(read_trust(empty));

  auto odd = status;
  for (auto & pair : odd.values) {
    pair.value = "1e999";
  }
  odd.message = "";
  const auto read = read_trust(odd);
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->trust.trusted);
  EXPECT_TRUE(std::isnan(read->trust.speed_limit));
  EXPECT_TRUE(std::isnan(read->period));
}

}  // namespace
}  // namespace mgproto::messages
