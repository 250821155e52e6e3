// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/frame_pace.hpp"

#include <algorithm>
#include <thread>

#include "mgproto_ros/error.hpp"

namespace mgproto::tools
{
namespace
{

constexpr std::chrono::milliseconds kLongestSleep{25};

}  // namespace

FramePace::FramePace(double rate) : period_(1 / rate)
{
  if (!(rate > 0 && rate <= kFastestRate)) {
    throw ConfigError(
      "rate", "is " + std::to_string(rate) + ", expected above 0 and at most 1000 a second");
  }
}

bool FramePace::wait(const std::atomic<bool> & stop)
{
  const Clock::time_point time = next_due(Clock::now());
  while (!stop) {
    const Clock::time_point now = Clock::now();
    if (now >= time) {
      return true;
    }
    std::this_thread::sleep_until(std::min(time, now + kLongestSleep));
  }
  return false;
}

FramePace::Clock::time_point FramePace::next_due(Clock::time_point now)
{
  if (!begin_) {
    begin_ = now;
    return now;
  }
  ++tick_;
  const double late = std::chrono::duration<double>(now - due(tick_)).count();
  if (late >= period_) {
    const auto missed = static_cast<std::uint64_t>(late / period_);
    tick_ += missed;
    left_out_ += missed;
  }
  return due(tick_);
}

FramePace::Clock::time_point FramePace::due(std::uint64_t tick) const
{
  const std::chrono::duration<double> offset(static_cast<double>(tick) * period_);
  return *begin_ + std::chrono::duration_cast<Clock::duration>(offset);
}

}  // namespace mgproto::tools
