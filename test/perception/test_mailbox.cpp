// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which frames reach the worker, and what becomes of the others.

#include <gtest/gtest.h>

#include <future>

#include "perception/frames.hpp"
#include "perception/mailbox.hpp"

namespace mgproto::perception
{
namespace
{

using namespace std::chrono_literals;
using test::empty_frame;

class MailboxTest : public ::testing::Test
{
protected:
  MailboxTest()
  {
    statistics.emplace_back("front");
    statistics.emplace_back("rear");
  }

  std::uint64_t dropped(int camera, Drop reason)
  {
    return statistics[camera].summary(start, std::nullopt).dropped[reason];
  }
  /// Seconds of the stamps of what is taken.
  std::vector<int> take(Mailbox & mailbox)
  {
    const std::vector<Frame> frames = mailbox.take().value();
    std::vector<int> stamps;
    for (const Frame & frame : frames) {
      stamps.push_back(frame.header.stamp.sec);
    }
    return stamps;
  }

  Clock::time_point start = Clock::now();
  std::deque<StatisticsCollector> statistics;
};

TEST_F(MailboxTest, TheNewestFrameReplacesTheOneThatWaits)
{
  Mailbox mailbox(statistics);
  for (int i = 1; i <= 5; ++i) {
    mailbox.put(empty_frame(0, i, start + i * 1ms));
  }
  EXPECT_EQ(take(mailbox), std::vector<int>{5});
  EXPECT_EQ(dropped(0, Drop::newer_frame), 4u);
}

TEST_F(MailboxTest, AllCamerasThatWaitAreTakenTogetherTheOldestFirst)
{
  Mailbox mailbox(statistics);
  mailbox.put(empty_frame(1, 21, start + 2ms));
  mailbox.put(empty_frame(0, 11, start + 1ms));
  EXPECT_EQ(take(mailbox), (std::vector<int>{11, 21}));
}

TEST_F(MailboxTest, AFastCameraDoesNotReplaceTheFrameOfASlowOne)
{
  Mailbox mailbox(statistics);
  mailbox.put(empty_frame(1, 99, start));
  for (int i = 1; i <= 100; ++i) {
    mailbox.put(empty_frame(0, i, start + i * 1ms));
  }
  EXPECT_EQ(take(mailbox), (std::vector<int>{99, 100}));
  EXPECT_EQ(dropped(1, Drop::newer_frame), 0u);
}

TEST_F(MailboxTest, AFrameOlderThanOneGivenOutBeforeIsDropped)
{
  Mailbox mailbox(statistics);
  mailbox.put(empty_frame(0, 2, start + 2ms));
  take(mailbox);
  mailbox.put(empty_frame(0, 1, start + 1ms));
  mailbox.put(empty_frame(1, 7, start));
  EXPECT_EQ(take(mailbox), std::vector<int>{7});
  EXPECT_EQ(dropped(0, Drop::newer_frame), 1u);
}

TEST_F(MailboxTest, ThirtyFramesPerSecondLimitedToTwentyBecomeTwenty)
{
  Mailbox mailbox(statistics);
  int taken = 0;
  for (int i = 0; i < 300; ++i) {
    mailbox.put(empty_frame(0, i, start + i * 33333us), 20);
    mailbox.wake();
    taken += static_cast<int>(take(mailbox).size());
  }
  EXPECT_NEAR(taken, 200, 2);
  EXPECT_EQ(dropped(0, Drop::rate_limit), 300u - taken);
}

TEST_F(MailboxTest, TheRateLimitHoldsAfterALongSilence)
{
  Mailbox mailbox(statistics);
  mailbox.put(empty_frame(0, 0, start), 1);
  take(mailbox);
  int taken = 0;
  for (int i = 0; i < 20; ++i) {  // two seconds' worth
    mailbox.put(empty_frame(0, i, start + 60s + i * 100ms), 1);
    mailbox.wake();
    taken += static_cast<int>(take(mailbox).size());
  }
  EXPECT_LE(taken, 3);
}

TEST_F(MailboxTest, TheFirstFrameIsLetInHoweverLowTheRate)
{
  Mailbox mailbox(statistics);
  mailbox.put(empty_frame(0, 1, Clock::time_point(1s)), 1e-300);
  EXPECT_EQ(take(mailbox), std::vector<int>{1});
  mailbox.put(empty_frame(0, 2, Clock::time_point(3600s)), 1e-300);
  EXPECT_EQ(dropped(0, Drop::rate_limit), 1u);
}

TEST_F(MailboxTest, ALimitedCameraStillHandsOutItsNewestFrame)
{
  Mailbox mailbox(statistics);
  mailbox.put(empty_frame(0, 1, start), 1);
  mailbox.put(empty_frame(0, 2, start + 1ms), 1);
  EXPECT_EQ(take(mailbox), std::vector<int>{2});
  EXPECT_EQ(dropped(0, Drop::newer_frame), 1u);
  EXPECT_EQ(dropped(0, Drop::rate_limit), 0u);
}

TEST_F(MailboxTest, TakeWaitsForAFrame)
{
  Mailbox mailbox(statistics);
  auto taken = std::async(std::launch::async, [&] { return take(mailbox); });
  EXPECT_EQ(taken.wait_for(20ms), std::future_status::timeout);
  mailbox.put(empty_frame(0, 3, start));
  EXPECT_EQ(taken.get(), std::vector<int>{3});
}

TEST_F(MailboxTest, WakingGivesNoFramesAndStoppingEndsForGood)
{
  Mailbox mailbox(statistics);
  mailbox.wake();
  EXPECT_TRUE(take(mailbox).empty());

  auto taken = std::async(std::launch::async, [&] { return mailbox.take(); });
  mailbox.stop();
  EXPECT_FALSE(taken.get());
  mailbox.put(empty_frame(0, 1, start));
  EXPECT_FALSE(mailbox.take());
}

TEST(FrameAge, IsThatOfTheStampByTheNodesClock)
{
  const auto now = Clock::now();
  for (const int node_time : {1'700'000'000, 5000}) {  // of the system, of a simulation
    const auto age_of = [&](int sec) {
      return age(test::empty_frame(0, sec, now - 1s), now, {node_time, 0});
    };
    EXPECT_DOUBLE_EQ(age_of(node_time - 7), 7);
    EXPECT_DOUBLE_EQ(age_of(node_time - 3500), 3500);
    EXPECT_DOUBLE_EQ(age_of(node_time - 4000), 4000);
    EXPECT_DOUBLE_EQ(age_of(node_time + 30), 1) << "a camera whose clock is ahead";
    EXPECT_DOUBLE_EQ(age_of(0), 1) << "no clock";
  }
  EXPECT_DOUBLE_EQ(age(test::empty_frame(0, 42, now - 1s), now, {0, 0}), 1) << "before /clock";
}

}  // namespace
}  // namespace mgproto::perception
