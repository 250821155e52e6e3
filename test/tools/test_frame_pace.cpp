// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "mgproto_ros/error.hpp"
#include "tools/frame_pace.hpp"

namespace mgproto::tools
{
namespace
{

using std::chrono::milliseconds;
using Clock = FramePace::Clock;

TEST(FramePace, KeepsToItsScheduleWithoutDrift)
{
  FramePace pace(15);
  const Clock::time_point begin = Clock::now();
  pace.next_due(begin);

  // Each frame is asked for a little late, as it always is.
  Clock::time_point due = begin;
  for (int i = 0; i < 1500; ++i) {
    due = pace.next_due(due + milliseconds(20));
  }

  EXPECT_NEAR(std::chrono::duration<double>(due - begin).count(), 100.0, 1e-6);
  EXPECT_EQ(pace.left_out(), 0u);
}

TEST(FramePace, LeavesOutWhatIsLateInsteadOfBursting)
{
  FramePace pace(10);
  const Clock::time_point begin = Clock::now();
  pace.next_due(begin);

  const Clock::time_point late = pace.next_due(begin + milliseconds(1030));
  const Clock::time_point following = pace.next_due(begin + milliseconds(1040));

  EXPECT_EQ(late, begin + milliseconds(1000));
  EXPECT_EQ(following, begin + milliseconds(1100));
  EXPECT_EQ(pace.left_out(), 9u);
}

TEST(FramePace, AFrameThatIsALittleLateMovesNoOther)
{
  FramePace pace(10);
  const Clock::time_point begin = Clock::now();
  pace.next_due(begin);

  EXPECT_EQ(pace.next_due(begin + milliseconds(150)), begin + milliseconds(100));
  EXPECT_EQ(pace.next_due(begin + milliseconds(160)), begin + milliseconds(200));
  EXPECT_EQ(pace.left_out(), 0u);
}

TEST(FramePace, WaitsUntilAFrameIsDue)
{
  FramePace pace(20);
  const std::atomic<bool> stop{false};
  const Clock::time_point begin = Clock::now();

  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(pace.wait(stop));
  }

  EXPECT_GE(Clock::now() - begin, milliseconds(200));
}

TEST(FramePace, EndsSoonWhenToldToStop)
{
  FramePace pace(0.01);
  std::atomic<bool> stop{false};
  EXPECT_TRUE(pace.wait(stop));
  Clock::time_point told;
  std::thread other([&] {
    std::this_thread::sleep_for(milliseconds(60));
    told = Clock::now();
    stop = true;
  });

  EXPECT_FALSE(pace.wait(stop));

  const Clock::time_point ended = Clock::now();
  other.join();
  EXPECT_LT(ended - told, milliseconds(500));  // 25 ms where the machine is not overloaded
}

TEST(FramePace, RefusesARateThatIsNone)
{
  for (const double rate : {0.0, -1.0, 1e9, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(FramePace{rate}, ConfigError) << rate;
  }
}

}  // namespace
}  // namespace mgproto::tools
