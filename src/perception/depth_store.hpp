// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__DEPTH_STORE_HPP_
#define PERCEPTION__DEPTH_STORE_HPP_

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "perception/frame.hpp"
#include "perception/position.hpp"

namespace mgproto::perception
{

/// A depth image that is aligned with a camera's image.
struct DepthImage
{
  Header header;
  CameraImage image;
};

/// The newest depth images of each camera, and how it projects. Nobody waits here: what has not
/// come when a frame is answered is not there. For any thread.
class DepthStore
{
public:
  /// Of each camera: a second of them at 30 a second, so that the one of a frame that the model
  /// took long for is still here; fewer if they are large. Beyond it the oldest goes, the newest
  /// never.
  static constexpr std::size_t kCapacity = 32;
  static constexpr std::size_t kMostBytes = std::size_t{128} << 20;

  explicit DepthStore(std::size_t cameras) : cameras_(cameras) {}

  void add(int camera, DepthImage depth);
  /// Nothing: the camera is not calibrated.
  void set_intrinsics(int camera, const std::optional<Intrinsics> & intrinsics);

  /// The one whose stamp is nearest, the newest of those that are equally near; nothing if it is
  /// more than `tolerance` seconds away.
  std::optional<DepthImage> nearest(int camera, const Stamp & stamp, double tolerance) const;
  std::optional<Intrinsics> intrinsics(int camera) const;

private:
  struct Camera
  {
    std::deque<DepthImage> images;  // in the order they came
    std::size_t bytes = 0;
    std::optional<Intrinsics> intrinsics;
  };

  mutable std::mutex mutex_;
  std::vector<Camera> cameras_;
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__DEPTH_STORE_HPP_
