// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames and the regions that a detector found in them.

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "perception/detections.hpp"
#include "perception/frames.hpp"

namespace mgproto::perception
{
namespace
{

using namespace std::chrono_literals;
using test::empty_frame;
using test::stamp;

class DetectionMatcherTest : public ::testing::Test
{
protected:
  static std::deque<StatisticsCollector> two_cameras()
  {
    std::deque<StatisticsCollector> result;
    result.emplace_back("front");
    result.emplace_back("rear");
    return result;
  }
  std::optional<Frame> add_frame(int sec, Clock::duration at = {}, int camera = 0)
  {
    return matcher.add_frame(empty_frame(camera, sec, start + at), max_wait);
  }
  std::optional<Frame> add_detections(int sec, Clock::duration at = {}, int camera = 0)
  {
    return matcher.add_detections(
      camera, stamp(sec), {{{1, 2, 3, 4}, std::to_string(sec)}}, start + at, max_wait);
  }
  std::uint64_t dropped(Drop reason, int camera = 0)
  {
    return statistics[camera].summary(start, std::nullopt).dropped[reason];
  }

  Clock::time_point start = Clock::now();
  Clock::duration max_wait = 200ms;
  std::deque<StatisticsCollector> statistics = two_cameras();
  DetectionMatcher matcher{statistics};
};

TEST_F(DetectionMatcherTest, AFrameAndItsRegionsMeetWhicheverComesFirst)
{
  EXPECT_FALSE(add_frame(1));
  const auto frame_first = add_detections(1, 50ms);
  ASSERT_TRUE(frame_first);
  EXPECT_EQ(frame_first->header.stamp, stamp(1));
  ASSERT_EQ(frame_first->regions.size(), 1u);
  EXPECT_EQ(frame_first->regions[0].detection_id, "1");

  EXPECT_FALSE(add_detections(2, 60ms));
  const auto regions_first = add_frame(2, 70ms);
  ASSERT_TRUE(regions_first);
  EXPECT_EQ(regions_first->regions.at(0).detection_id, "2");
}

TEST_F(DetectionMatcherTest, AnEmptyListOfRegionsIsAnAnswer)
{
  add_frame(1);
  const auto matched = matcher.add_detections(0, stamp(1), {}, start, max_wait);
  ASSERT_TRUE(matched);
  EXPECT_TRUE(matched->regions.empty());
}

TEST_F(DetectionMatcherTest, OnlyExactlyTheSameStampMatches)
{
  add_frame(1);
  EXPECT_FALSE(matcher.add_detections(0, {1, 1}, {}, start, max_wait));
  EXPECT_FALSE(add_detections(1, 0ms, /*camera=*/1));
}

TEST_F(DetectionMatcherTest, AFrameIsGivenUpAfterTheWait)
{
  add_frame(1);
  EXPECT_FALSE(add_detections(1, 201ms));
  EXPECT_EQ(dropped(Drop::no_detections), 1u);
}

TEST_F(DetectionMatcherTest, ACameraThatStopsLeavesNoFrameUncounted)
{
  add_frame(1);
  matcher.expire(start + 200ms, max_wait);
  EXPECT_EQ(dropped(Drop::no_detections), 0u);
  matcher.expire(start + 201ms, max_wait);
  EXPECT_EQ(dropped(Drop::no_detections), 1u);
}

TEST_F(DetectionMatcherTest, FramesThatTheDetectorSkippedAreDroppedWhenANewerOneMatches)
{
  add_frame(1, 0ms);
  add_frame(2, 10ms);
  add_frame(3, 20ms);
  ASSERT_TRUE(add_detections(2, 30ms));
  EXPECT_EQ(dropped(Drop::newer_frame), 1u);
  EXPECT_FALSE(add_detections(1, 40ms)) << "its answer would go back in time";
  EXPECT_TRUE(add_detections(3, 50ms));
}

TEST_F(DetectionMatcherTest, RegionsInAnyOrderFindTheirFrames)
{
  add_detections(3);
  add_detections(1);
  add_detections(2);
  for (const int sec : {1, 2, 3}) {
    const auto matched = add_frame(sec, sec * 1ms);
    ASSERT_TRUE(matched);
    EXPECT_EQ(matched->regions.at(0).detection_id, std::to_string(sec));
  }
}

TEST_F(DetectionMatcherTest, RegionsOfAFormerPlaybackDoNotMatchItsRepetition)
{
  add_detections(1);
  EXPECT_FALSE(add_frame(1, 2s));
}

TEST_F(DetectionMatcherTest, RegionsBeforeTheirImageAreKeptEvenIfNoFrameMayWait)
{
  max_wait = 0s;
  add_detections(1);
  EXPECT_TRUE(add_frame(1, 5ms));
}

TEST_F(DetectionMatcherTest, BuffersAreBoundedWhateverTheRate)
{
  max_wait = 60s;
  for (int i = 0; i < 1000; ++i) {
    add_frame(i, i * 1us);
    add_detections(10000 + i, i * 1us);
  }
  EXPECT_EQ(dropped(Drop::no_detections), 1000 - DetectionMatcher::kCapacity);
  EXPECT_FALSE(add_frame(10000, 1ms)) << "the oldest are gone";
  EXPECT_TRUE(add_frame(10999, 1ms)) << "the newest are here";
}

TEST_F(DetectionMatcherTest, OfFramesWithOneStampTheNewestIsAnswered)
{
  add_frame(0, 0ms);
  add_frame(0, 10ms);
  const auto matched = add_detections(0, 20ms);
  ASSERT_TRUE(matched);
  EXPECT_EQ(matched->received, start + 10ms);
  EXPECT_EQ(dropped(Drop::newer_frame), 1u);
}

TEST_F(DetectionMatcherTest, ClearingGivesUpAllThatWaits)
{
  add_frame(1);
  add_frame(2, 0ms, /*camera=*/1);
  add_detections(3);
  matcher.clear(Drop::disabled);
  EXPECT_EQ(dropped(Drop::disabled, 0), 1u);
  EXPECT_EQ(dropped(Drop::disabled, 1), 1u);
  EXPECT_FALSE(add_frame(3));
}

TEST(CutToImage, LeavesWhatIsInside)
{
  EXPECT_EQ(cut_to_image({10, 20, 30, 40}, 100, 100), (Box{10, 20, 30, 40}));
  EXPECT_EQ(cut_to_image({-5, -6, 10, 10}, 100, 100), (Box{0, 0, 5, 4}));
  EXPECT_EQ(cut_to_image({95, 90, 10, 30}, 100, 100), (Box{95, 90, 5, 10}));
}

TEST(CutToImage, HasNoPixelsWhereThereAreNone)
{
  constexpr int kMost = std::numeric_limits<int>::max();
  constexpr int kLeast = std::numeric_limits<int>::min();
  for (const Box & box :
       {Box{100, 0, 5, 5}, Box{-5, 0, 5, 5}, Box{0, 0, 0, 9}, Box{10, 10, -5, 5},
        Box{kMost, kMost, kMost, kMost}, Box{kLeast, kLeast, kLeast, kLeast}}) {
    const Box cut = cut_to_image(box, 100, 100);
    EXPECT_TRUE(cut.width == 0 || cut.height == 0) << box.x << " " << box.width;
  }
  EXPECT_EQ(cut_to_image({kLeast, 0, kMost, 5}, 100, 100).width, 0);
  EXPECT_EQ(cut_to_image({1, 1, kMost, kMost}, 100, 100), (Box{1, 1, 99, 99}));
}

TEST(PartOf, PointsIntoThePaddedRowsOfTheImage)
{
  const std::array<std::uint8_t, 4 * 16> pixels{};
  const ImageView image{pixels.data(), 5, 4, 16, PixelFormat::rgb};
  const ImageView part = part_of(image, {2, 1, 3, 2});
  EXPECT_EQ(part.data, pixels.data() + 16 + 6);
  EXPECT_EQ(part.width, 3);
  EXPECT_EQ(part.height, 2);
  EXPECT_EQ(part.step, 16u);
  EXPECT_EQ(part.format, PixelFormat::rgb);
}

}  // namespace
}  // namespace mgproto::perception
