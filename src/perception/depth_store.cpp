// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/depth_store.hpp"

#include <cstdlib>
#include <utility>

namespace mgproto::perception
{

void DepthStore::add(int index, DepthImage depth)
{
  const std::lock_guard lock(mutex_);
  Camera & camera = cameras_.at(index);
  camera.bytes += depth.image.size;
  camera.images.push_back(std::move(depth));
  while (camera.images.size() > 1 &&
         (camera.images.size() > kCapacity || camera.bytes > kMostBytes)) {
    camera.bytes -= camera.images.front().image.size;
    camera.images.pop_front();
  }
}

void DepthStore::set_intrinsics(int index, const std::optional<Intrinsics> & intrinsics)
{
  const std::lock_guard lock(mutex_);
  cameras_.at(index).intrinsics = intrinsics;
}

std::optional<DepthImage> DepthStore::nearest(
  int index, const Stamp & stamp, double tolerance) const
{
  const std::lock_guard lock(mutex_);
  const DepthImage * nearest = nullptr;
  std::int64_t distance = 0;
  for (const DepthImage & depth : cameras_.at(index).images) {
    const std::int64_t away = std::abs(depth.header.stamp.nanoseconds() - stamp.nanoseconds());
    if (nearest == nullptr || away <= distance) {
      nearest = &depth;
      distance = away;
    }
  }
  if (nearest == nullptr || static_cast<double>(distance) > tolerance * 1e9) {
    return std::nullopt;
  }
  return *nearest;
}

std::optional<Intrinsics> DepthStore::intrinsics(int index) const
{
  const std::lock_guard lock(mutex_);
  return cameras_.at(index).intrinsics;
}

}  // namespace mgproto::perception
