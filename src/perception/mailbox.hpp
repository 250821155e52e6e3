// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__MAILBOX_HPP_
#define PERCEPTION__MAILBOX_HPP_

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "perception/frame.hpp"
#include "perception/statistics.hpp"

namespace mgproto::perception
{

/// The newest frame of each camera, for one worker. Every frame that is not given out is counted as
/// dropped in the statistics of its camera.
class Mailbox
{
public:
  /// One camera for each of the statistics, which must outlive this.
  explicit Mailbox(std::deque<StatisticsCollector> & statistics);

  /// Takes the place of a frame that still waits. Otherwise the frame is only let in if the camera
  /// stays below `max_rate` frames per second (0 = any rate); nothing ever waits for its turn, so
  /// the limit costs no latency. A frame received before one that was put earlier is dropped:
  /// answers never go back in time.
  void put(Frame frame, double max_rate = 0);

  /// Blocks until there is something to do. Gives all waiting frames, at most one a camera, so that
  /// no camera can starve another; in the order they were received. No frames after wake(), nothing
  /// after stop().
  std::optional<std::vector<Frame>> take();

  void wake();
  /// For good: frames that wait are forgotten.
  void stop();

private:
  struct Slot
  {
    std::optional<Frame> frame;
    // When the newest frame that was let in was received.
    Clock::time_point newest = Clock::time_point::min();
    // When the frame that was last let in was due at max_rate.
    Clock::time_point allowed = Clock::time_point::min();
  };

  std::deque<StatisticsCollector> & statistics_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Slot> slots_;
  bool awake_ = false;
  bool stopped_ = false;
};

/// How old the picture is, in seconds: the time since it was received, or since its stamp by the
/// node's clock, if that is longer. A stamp of zero, of a camera that has no clock, says nothing; one
/// in the future says that the picture is new.
double age(const Frame & frame, Clock::time_point now, const Stamp & node_time);

}  // namespace mgproto::perception

#endif  // PERCEPTION__MAILBOX_HPP_
