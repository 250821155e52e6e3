// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TOOLS__FRAME_PACE_HPP_
#define TOOLS__FRAME_PACE_HPP_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace mgproto::tools
{

constexpr double kFastestRate = 1000;  ///< frames per second

/// Says when frames are due: at the first call and then at whole multiples of 1 / rate after it,
/// so that no delay adds up. Multiples that have gone by are left out, not made up for.
class FramePace
{
public:
  using Clock = std::chrono::steady_clock;

  /// `rate` in frames per second. Throws ConfigError unless it is above 0 and at most 1000.
  explicit FramePace(double rate);

  /// Waits until the next frame is due; false, within 50 ms, if `stop` is set.
  bool wait(const std::atomic<bool> & stop);

  /// When the next frame is due, asked at `now`. Lies in the past, by less than 1 / rate, if the
  /// frame is late.
  Clock::time_point next_due(Clock::time_point now);

  /// Frames that were left out so far.
  std::uint64_t left_out() const { return left_out_; }

private:
  Clock::time_point due(std::uint64_t tick) const;

  double period_;  ///< seconds
  std::optional<Clock::time_point> begin_;
  std::uint64_t tick_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace mgproto::tools

#endif  // TOOLS__FRAME_PACE_HPP_
