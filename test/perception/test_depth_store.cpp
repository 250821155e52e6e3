// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Depth images that wait for the frames they belong to.

#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "perception/depth_images.hpp"
#include "perception/depth_store.hpp"

namespace mgproto::perception
{
namespace
{

/// Its width tells which one it is.
DepthImage depth_at(Stamp stamp, int width, std::size_t bytes = 100)
{
  DepthImage depth;
  depth.header.stamp = stamp;
  depth.image.width = width;
  depth.image.size = bytes;
  return depth;
}

/// The width of the one that is nearest to the stamp; 0 if there is none.
int nearest(const DepthStore & store, Stamp stamp, double tolerance = 0.05, int camera = 0)
{
  const auto found = store.nearest(camera, stamp, tolerance);
  return found ? found->image.width : 0;
}

constexpr std::uint32_t ms = 1'000'000;

TEST(DepthStore, GivesTheOneWhoseStampIsNearestIfThatIsNearEnough)
{
  DepthStore store(1);
  EXPECT_EQ(nearest(store, {7, 0}), 0);
  store.add(0, depth_at({7, 0}, 1));
  store.add(0, depth_at({7, 33 * ms}, 2));
  store.add(0, depth_at({7, 66 * ms}, 3));

  EXPECT_EQ(nearest(store, {7, 0}), 1);
  EXPECT_EQ(nearest(store, {7, 40 * ms}), 2);
  EXPECT_EQ(nearest(store, {7, 116 * ms}), 3);
  EXPECT_EQ(nearest(store, {7, 117 * ms}), 0);
  EXPECT_EQ(nearest(store, {6, 960 * ms}), 1);
  EXPECT_EQ(nearest(store, {7, 33 * ms}, 0), 2) << "the same stamp";
  EXPECT_EQ(nearest(store, {7, 34 * ms}, 0), 0);
}

TEST(DepthStore, OfEqualStampsTheNewestCounts)
{
  DepthStore store(1);
  store.add(0, depth_at({0, 0}, 1));
  store.add(0, depth_at({0, 0}, 2));
  EXPECT_EQ(nearest(store, {0, 0}), 2);
}

TEST(DepthStore, KeepsCamerasApart)
{
  DepthStore store(2);
  store.add(1, depth_at({7, 0}, 1));
  store.set_intrinsics(1, test::some_camera());
  EXPECT_EQ(nearest(store, {7, 0}, 0.05, 0), 0);
  EXPECT_EQ(nearest(store, {7, 0}, 0.05, 1), 1);
  EXPECT_FALSE(store.intrinsics(0));
  EXPECT_EQ(store.intrinsics(1)->fx, 500);
  store.set_intrinsics(1, std::nullopt);
  EXPECT_FALSE(store.intrinsics(1));
}

TEST(DepthStore, TheOldestGoesWhenThereAreTooMany)
{
  DepthStore store(1);
  const auto first = std::make_shared<int>(1);
  DepthImage oldest = depth_at({0, 0}, 1);
  oldest.image.owner = first;
  store.add(0, std::move(oldest));
  for (std::size_t i = 1; i < DepthStore::kCapacity; ++i) {
    store.add(0, depth_at({static_cast<std::int32_t>(i), 0}, 2));
  }
  EXPECT_EQ(nearest(store, {0, 0}), 1);
  store.add(0, depth_at({100, 0}, 3));
  EXPECT_EQ(nearest(store, {0, 0}), 0);
  EXPECT_EQ(first.use_count(), 1) << "its memory is free";
}

TEST(DepthStore, OfLargeOnesItKeepsFewerButAlwaysTheNewest)
{
  DepthStore store(1);
  const std::size_t third = DepthStore::kMostBytes / 3;
  for (int i = 1; i <= 4; ++i) {
    store.add(0, depth_at({i, 0}, i, third));
  }
  EXPECT_EQ(nearest(store, {1, 0}), 0);
  EXPECT_EQ(nearest(store, {2, 0}), 2);
  store.add(0, depth_at({9, 0}, 9, 2 * DepthStore::kMostBytes));
  EXPECT_EQ(nearest(store, {4, 0}), 0);
  EXPECT_EQ(nearest(store, {9, 0}), 9);
}

TEST(DepthStore, StampsThatNoClockShowsAreOnlyFar)
{
  DepthStore store(1);
  const Stamp last{
    std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::uint32_t>::max()};
  const Stamp first{std::numeric_limits<std::int32_t>::min(), 0};
  store.add(0, depth_at(last, 1));
  EXPECT_EQ(nearest(store, first), 0);
  EXPECT_EQ(nearest(store, last), 1);
}

}  // namespace
}  // namespace mgproto::perception
