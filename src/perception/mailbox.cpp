// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/mailbox.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace mgproto::perception
{

Mailbox::Mailbox(std::deque<StatisticsCollector> & statistics)
: statistics_(statistics), slots_(statistics.size())
{
}

void Mailbox::put(Frame frame, double max_rate)
{
  const std::lock_guard lock(mutex_);
  Slot & slot = slots_.at(frame.camera);
  StatisticsCollector & statistics = statistics_[frame.camera];
  if (frame.received < slot.newest) {
    statistics.frame_dropped(Drop::newer_frame);
    return;
  }
  if (slot.frame) {
    statistics.frame_dropped(Drop::newer_frame);
  } else if (max_rate > 0) {
    const std::chrono::duration<double> wanted(1 / max_rate);
    constexpr std::chrono::duration<double> kDay(86400);  // a Clock can hold that
    const auto period = std::chrono::duration_cast<Clock::duration>(std::min(wanted, kDay));
    const Clock::time_point due = slot.allowed + period;
    if (frame.received < due) {
      statistics.frame_dropped(Drop::rate_limit);
      return;
    }
    // Counted from when the frame was due rather than from when it came: 30 frames per second
    // limited to 20 become 20, not 15. Half a period is the most that may be caught up.
    slot.allowed = std::max(due, frame.received - period / 2);
  }
  slot.newest = frame.received;
  slot.frame = std::move(frame);
  changed_.notify_one();
}

std::optional<std::vector<Frame>> Mailbox::take()
{
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] {
    return stopped_ || awake_ || std::any_of(slots_.begin(), slots_.end(), [](const Slot & slot) {
             return slot.frame.has_value();
           });
  });
  if (stopped_) {
    return std::nullopt;
  }
  awake_ = false;
  std::vector<Frame> frames;
  for (Slot & slot : slots_) {
    if (slot.frame) {
      frames.push_back(std::move(*slot.frame));
      slot.frame.reset();
    }
  }
  std::stable_sort(frames.begin(), frames.end(), [](const Frame & a, const Frame & b) {
    return a.received < b.received;
  });
  return frames;
}

void Mailbox::wake()
{
  const std::lock_guard lock(mutex_);
  awake_ = true;
  changed_.notify_one();
}

void Mailbox::stop()
{
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  for (Slot & slot : slots_) {
    slot.frame.reset();
  }
  changed_.notify_all();
}

double age(const Frame & frame, Clock::time_point now, const Stamp & node_time)
{
  const double since_received = std::chrono::duration<double>(now - frame.received).count();
  const std::int64_t stamp = frame.header.stamp.nanoseconds();
  const std::chrono::nanoseconds behind(node_time.nanoseconds() - stamp);
  const double since_stamp = std::chrono::duration<double>(behind).count();
  return stamp == 0 ? since_received : std::max(since_received, since_stamp);
}

}  // namespace mgproto::perception
