// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/snapshots.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "mgproto_ros/error.hpp"
#include "perception/decode.hpp"
#include "perception/detections.hpp"

namespace mgproto::perception
{
namespace
{

/// For the first image, and for each further one.
constexpr std::chrono::seconds kPatience{2};
constexpr std::chrono::milliseconds kPatienceForEach{500};

}  // namespace

std::string name_of(const std::string & camera, const Header & header)
{
  const std::string nanosec = std::to_string(header.stamp.nanosec);
  return (camera.empty() ? "camera" : camera) + " " + std::to_string(header.stamp.sec) + "." +
         std::string(9 - std::min<std::size_t>(nanosec.size(), 9), '0') + nanosec;
}

std::vector<LessonImage> Snapshots::take(int camera, std::size_t count, const Box & box)
{
  std::unique_lock lock(mutex_);
  camera_ = camera;
  count_ = count;
  box_ = box;
  problem_.clear();
  taken_.clear();
  wanted_ = true;
  changed_.wait_for(lock, kPatience + kPatienceForEach * count, [this] { return !wanted_; });
  wanted_ = false;
  if (taken_.empty()) {
    throw Error(problem_.empty() ? "the camera sends no image that is answered" : problem_);
  }
  return std::exchange(taken_, {});
}

void Snapshots::offer(const std::string & camera, const ProcessedFrame & work)
{
  const std::lock_guard lock(mutex_);
  if (!wanted_ || work.frame.camera != camera_) {
    return;
  }
  const FramePrediction & frame = work.prediction;
  Box box = box_;
  if (box.width == 0 && frame.regions.size() == 1) {
    box = frame.regions.front().region;
  }
  box = cut_to_image(box, frame.width, frame.height);
  if (box.width == 0 || box.height == 0) {
    problem_ = box_.width > 0 ? "the box lies outside of the camera's image of " +
                                  std::to_string(frame.width) + "x" + std::to_string(frame.height)
                              : "there are " + std::to_string(frame.regions.size()) +
                                  " regions in the camera's image: expected one, or a box";
    return;
  }
  taken_.push_back({name_of(camera, frame.header), bgr_copy(part_of(work.image, box))});
  if (taken_.size() >= count_) {
    wanted_ = false;
    changed_.notify_all();
  }
}

}  // namespace mgproto::perception
