// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "perception/log_limiter.hpp"

namespace mgproto::perception
{
namespace
{

using namespace std::chrono_literals;

TEST(LogLimiter, TellsEachKindOfFaultOncePerCamera)
{
  LogLimiter limiter;
  const auto now = Clock::now();
  EXPECT_TRUE(limiter.allows(0, "step", now));
  EXPECT_FALSE(limiter.allows(0, "step", now + 24h));
  EXPECT_TRUE(limiter.allows(0, "encoding", now));
  EXPECT_TRUE(limiter.allows(1, "step", now));
}

TEST(LogLimiter, TellsAFaultThatComesBackAtMostEveryHalfMinute)
{
  LogLimiter limiter;
  const auto now = Clock::now();
  limiter.allows(0, "step", now);
  limiter.recovered(1);
  EXPECT_FALSE(limiter.allows(0, "step", now + 31s)) << "another camera has recovered";
  limiter.recovered(0);
  EXPECT_FALSE(limiter.allows(0, "step", now + 29s));
  EXPECT_TRUE(limiter.allows(0, "step", now + 31s));
  EXPECT_FALSE(limiter.allows(0, "step", now + 120s));
}

TEST(LogLimiter, IsBoundedWhenKindsAreEndless)
{
  LogLimiter limiter;
  const auto now = Clock::now();
  int told = 0;
  for (int i = 0; i < 10000; ++i) {
    told += limiter.allows(0, std::to_string(i), now) ? 1 : 0;
  }
  EXPECT_LE(told, 1000);
}

}  // namespace
}  // namespace mgproto::perception
