// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/detections.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace mgproto::perception
{

DetectionMatcher::DetectionMatcher(std::deque<StatisticsCollector> & statistics)
: statistics_(statistics), cameras_(statistics.size())
{
}

std::optional<Frame> DetectionMatcher::add_frame(Frame frame, Clock::duration max_wait)
{
  const std::lock_guard lock(mutex_);
  Camera & camera = cameras_.at(frame.camera);
  StatisticsCollector & statistics = statistics_[frame.camera];
  expire_one(frame.camera, frame.received, max_wait);

  const auto match = std::find_if(
    camera.detections.begin(), camera.detections.end(),
    [&](const Detections & one) { return one.stamp == frame.header.stamp; });
  if (match == camera.detections.end()) {
    camera.frames.push_back(std::move(frame));
    if (camera.frames.size() > kCapacity) {
      camera.frames.pop_front();
      statistics.frame_dropped(Drop::no_detections);
    }
    return std::nullopt;
  }
  frame.regions = std::move(match->regions);
  camera.detections.erase(match);
  for (; !camera.frames.empty(); camera.frames.pop_front()) {
    statistics.frame_dropped(Drop::newer_frame);
  }
  return frame;
}

std::optional<Frame> DetectionMatcher::add_detections(
  int camera_index, const Stamp & stamp, std::vector<Region> regions, Clock::time_point now,
  Clock::duration max_wait)
{
  const std::lock_guard lock(mutex_);
  Camera & camera = cameras_.at(camera_index);
  expire_one(camera_index, now, max_wait);

  // From the back: of frames with one stamp, as a camera without a clock sends them, the newest.
  const auto match = std::find_if(
    camera.frames.rbegin(), camera.frames.rend(),
    [&](const Frame & frame) { return frame.header.stamp == stamp; });
  if (match == camera.frames.rend()) {
    camera.detections.push_back({stamp, std::move(regions), now});
    if (camera.detections.size() > kCapacity) {
      camera.detections.pop_front();
    }
    return std::nullopt;
  }
  Frame frame = std::move(*match);
  frame.regions = std::move(regions);
  const auto after = match.base();
  for (auto older = camera.frames.begin(); older + 1 != after; ++older) {
    statistics_[camera_index].frame_dropped(Drop::newer_frame);
  }
  camera.frames.erase(camera.frames.begin(), after);
  return frame;
}

void DetectionMatcher::expire(Clock::time_point now, Clock::duration max_wait)
{
  const std::lock_guard lock(mutex_);
  for (std::size_t camera = 0; camera < cameras_.size(); ++camera) {
    expire_one(camera, now, max_wait);
  }
}

void DetectionMatcher::expire_one(
  std::size_t index, Clock::time_point now, Clock::duration max_wait)
{
  Camera & camera = cameras_[index];
  while (!camera.frames.empty() && now - camera.frames.front().received > max_wait) {
    camera.frames.pop_front();
    statistics_[index].frame_dropped(Drop::no_detections);
  }
  const Clock::duration kept = std::max<Clock::duration>(max_wait, kDetectionsKept);
  while (!camera.detections.empty() && now - camera.detections.front().received > kept) {
    camera.detections.pop_front();
  }
}

void DetectionMatcher::clear(Drop reason)
{
  const std::lock_guard lock(mutex_);
  for (std::size_t index = 0; index < cameras_.size(); ++index) {
    Camera & camera = cameras_[index];
    for (; !camera.frames.empty(); camera.frames.pop_front()) {
      statistics_[index].frame_dropped(reason);
    }
    camera.detections.clear();
  }
}

Box cut_to_image(const Box & box, int width, int height)
{
  // In 64 bits: the sum of two numbers that a stranger sent may not fit into an int.
  const auto inside = [](std::int64_t position, int length) {
    return static_cast<int>(std::clamp<std::int64_t>(position, 0, length));
  };
  const int left = inside(box.x, width);
  const int top = inside(box.y, height);
  const int right = inside(std::int64_t{box.x} + box.width, width);
  const int bottom = inside(std::int64_t{box.y} + box.height, height);
  return {left, top, std::max(0, right - left), std::max(0, bottom - top)};
}

ImageView part_of(const ImageView & image, const Box & box)
{
  ImageView part = image;
  part.data += static_cast<std::size_t>(box.y) * image.step +
               static_cast<std::size_t>(box.x) * static_cast<std::size_t>(channels(image.format));
  part.width = box.width;
  part.height = box.height;
  return part;
}

}  // namespace mgproto::perception
