// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__DETECTIONS_HPP_
#define PERCEPTION__DETECTIONS_HPP_

#include <chrono>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "mgproto_ros/image_view.hpp"
#include "perception/frame.hpp"
#include "perception/statistics.hpp"

namespace mgproto::perception
{

/// Brings each frame together with what a detector says about exactly its stamp, whichever comes
/// first. A frame that was received before one that has found its regions is given up, because its
/// answer would come too late; so is one that has waited for too long. For any thread.
class DetectionMatcher
{
public:
  /// Frames, and lists of regions, that wait per camera. Beyond it the oldest goes.
  static constexpr std::size_t kCapacity = 32;
  /// Regions that come before their image wait at least so long. Not for ever: a recording that is
  /// played again has the same stamps.
  static constexpr std::chrono::seconds kDetectionsKept{1};

  /// One camera for each of the statistics, which must outlive this.
  explicit DetectionMatcher(std::deque<StatisticsCollector> & statistics);

  /// The frame with its regions, if they are here already.
  std::optional<Frame> add_frame(Frame frame, Clock::duration max_wait);
  /// The frame that these regions belong to, if it is here already. No regions are an answer, too.
  std::optional<Frame> add_detections(
    int camera, const Stamp & stamp, std::vector<Region> regions, Clock::time_point now,
    Clock::duration max_wait);

  /// Gives up what has waited for longer than `max_wait`.
  void expire(Clock::time_point now, Clock::duration max_wait);
  /// Gives up all that waits.
  void clear(Drop reason);

private:
  struct Detections
  {
    Stamp stamp;
    std::vector<Region> regions;
    Clock::time_point received;
  };
  struct Camera
  {
    std::deque<Frame> frames;  // in the order they came
    std::deque<Detections> detections;
  };

  void expire_one(std::size_t camera, Clock::time_point now, Clock::duration max_wait);

  std::deque<StatisticsCollector> & statistics_;
  std::mutex mutex_;
  std::vector<Camera> cameras_;
};

/// The part of the box inside an image of this size; without width or height if there is none.
Box cut_to_image(const Box & box, int width, int height);

/// A view of the part of the image inside the box, which must lie within it.
ImageView part_of(const ImageView & image, const Box & box);

}  // namespace mgproto::perception

#endif  // PERCEPTION__DETECTIONS_HPP_
