// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__RECENT_HPP_
#define PERCEPTION__RECENT_HPP_

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>

namespace mgproto::perception
{

/// The samples of the last `span`, and of those the newest kMost: memory does not grow with the
/// rate. A Sample has a `time`.
template <typename Sample>
class Recent
{
public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kMost = 4096;

  explicit Recent(Clock::duration span) : span_(span) {}

  void add(const Sample & sample)
  {
    samples_.push_back(sample);
    while (samples_.front().time < sample.time - span_) {
      samples_.pop_front();
    }
    if (samples_.size() > kMost) {
      complete_since_ = samples_.front().time;
      samples_.pop_front();
    }
  }

  void clear() { samples_.clear(); }

  /// Calls use(sample) for each one later than `start`.
  template <typename Use>
  void after(Clock::time_point start, Use use) const
  {
    for (const Sample & sample : samples_) {
      if (sample.time > start) {
        use(sample);
      }
    }
  }

  /// Samples per second from `start` to `now`, or over the part of that time of which all samples
  /// are still here.
  double rate(Clock::time_point start, Clock::time_point now) const
  {
    start = std::max(start, complete_since_);
    const double seconds = std::chrono::duration<double>(now - start).count();
    std::size_t count = 0;
    after(start, [&](const Sample &) { ++count; });
    return seconds > 0 ? static_cast<double>(count) / seconds : 0;
  }

private:
  Clock::duration span_;
  std::deque<Sample> samples_;
  Clock::time_point complete_since_ = Clock::time_point::min();  // newest sample lost to kMost
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__RECENT_HPP_
