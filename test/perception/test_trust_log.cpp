// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <string>

#include "perception/trust_log.hpp"

namespace mgproto::perception
{
namespace
{

const Trust kTrusting{true, 100, ""};
const Trust kDoubting{false, 12.5, "/ood: silent for 1.3 s"};

std::string told(TrustLog & log, const Trust & trust, double seconds)
{
  const std::chrono::duration<double> passed(seconds);
  const auto now = Clock::time_point() + std::chrono::duration_cast<Clock::duration>(passed);
  const auto line = log.line(trust, now);
  if (!line) {
    return "";
  }
  EXPECT_EQ(line->level, trust.trusted ? LogLevel::info : LogLevel::warn);
  return line->text;
}

TEST(TrustLog, TellsChangesWithTheirReason)
{
  TrustLog log;
  EXPECT_EQ(told(log, kDoubting, 0), "not trusted, speed limit 12.5 %: /ood: silent for 1.3 s");
  EXPECT_EQ(told(log, kDoubting, 1), "");
  EXPECT_EQ(told(log, kTrusting, 2), "trusted, speed limit 100 %");
  EXPECT_EQ(told(log, kTrusting, 3), "");
  EXPECT_NE(told(log, kDoubting, 60), "");
}

TEST(TrustLog, IsNotFilledByATrustThatFlickersAndIsRightInTheEnd)
{
  TrustLog log;
  int lines = 0;
  for (int i = 0; i < 1001; ++i) {  // ten seconds
    lines += told(log, i % 2 == 0 ? kDoubting : kTrusting, 0.01 * i).empty() ? 0 : 1;
  }
  EXPECT_EQ(lines, 6);  // the last one says that it is trusted
  EXPECT_EQ(told(log, kDoubting, 20), "");
  EXPECT_NE(told(log, kDoubting, 31), "");
  EXPECT_EQ(told(log, kDoubting, 32), "");
}

}  // namespace
}  // namespace mgproto::perception
