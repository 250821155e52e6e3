// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__SNAPSHOTS_HPP_
#define PERCEPTION__SNAPSHOTS_HPP_

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "perception/frame_predictor.hpp"
#include "teach/teach_images.hpp"

namespace mgproto::perception
{

/// What a camera sees now, for somebody who waits for it. One worker offers; one at a time takes.
class Snapshots
{
public:
  /// The next `count` images of the camera, or the part of each inside `box` unless that is empty; fewer
  /// if no more come in time. Where a detector finds regions, the region, if there is one. Throws Error
  /// if there is none.
  std::vector<LessonImage> take(int camera, std::size_t count, const Box & box);

  /// An answered frame, and its camera's name.
  void offer(const std::string & camera, const ProcessedFrame & work);

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool wanted_ = false;
  int camera_ = 0;
  std::size_t count_ = 0;
  Box box_;
  std::vector<LessonImage> taken_;
  std::string problem_;  // with the newest frame that could not be used
};

/// An image's name in what is taught: front 1767225600.000000500
std::string name_of(const std::string & camera, const Header & header);

}  // namespace mgproto::perception

#endif  // PERCEPTION__SNAPSHOTS_HPP_
