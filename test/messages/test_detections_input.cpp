// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// What detectors send, as regions.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "messages/detections_input.hpp"
#include "not_finite.hpp"

namespace mgproto::messages
{
namespace
{

using vision_msgs::msg::Detection2D;
using vision_msgs::msg::Detection2DArray;

constexpr double kLargest = std::numeric_limits<double>::max();

Detection2D detection(double x, double y, double width, double height, double theta = 0)
{
  Detection2D message;
  message.bbox.center.position.x = x;
  message.bbox.center.position.y = y;
  message.bbox.center.theta = theta;
  message.bbox.size_x = width;
  message.bbox.size_y = height;
  return message;
}

DetectionsInput read(const std::vector<Detection2D> & detections)
{
  Detection2DArray message;
  message.detections = detections;
  return read_detections(message);
}

Box box_of(const Detection2D & one)
{
  const DetectionsInput input = read({one});
  EXPECT_EQ(input.dropped, 0);
  return input.regions.at(0).box;
}

TEST(DetectionsInput, HeaderAndIdsComeThrough)
{
  Detection2DArray message;
  message.header.stamp.sec = 3;
  message.header.stamp.nanosec = 4'000'000'000u;
  message.header.frame_id = "front";
  message.detections = {detection(10, 10, 4, 4), detection(20, 20, 4, 4)};
  message.detections[0].id = "a";

  const DetectionsInput input = read_detections(message);

  EXPECT_EQ(input.header.stamp, (perception::Stamp{3, 4'000'000'000u}));
  EXPECT_EQ(input.header.frame_id, "front");
  ASSERT_EQ(input.regions.size(), 2u);
  EXPECT_EQ(input.regions[0].detection_id, "a");
  EXPECT_EQ(input.regions[1].detection_id, "");
  EXPECT_TRUE(read({}).regions.empty());
}

TEST(DetectionsInput, ARegionCoversItsRectangleInWholePixels)
{
  EXPECT_EQ(box_of(detection(50, 40, 20, 10)), (Box{40, 35, 20, 10}));
  EXPECT_EQ(box_of(detection(50.5, 40, 20, 9)), (Box{40, 35, 21, 10}));
  EXPECT_EQ(box_of(detection(7, 7, 1e-12, 1e-12)), (Box{7, 7, 1, 1}));
  EXPECT_EQ(box_of(detection(0, 0, 20, 10)), (Box{-10, -5, 20, 10}));
}

TEST(DetectionsInput, ARotatedRectangleBecomesItsHull)
{
  EXPECT_EQ(box_of(detection(50, 40, 20, 10, M_PI / 2)), (Box{45, 30, 10, 20}));
  EXPECT_EQ(box_of(detection(50, 40, 20, 10, -M_PI)), (Box{40, 35, 20, 10}));
  EXPECT_EQ(box_of(detection(5, 10, 20, 10, M_PI / 2)), (Box{0, 0, 10, 20}));
  // Half of the diagonal of a square of side 20 is 14.14.
  EXPECT_EQ(box_of(detection(50, 40, 20, 20, M_PI / 4)), (Box{35, 25, 30, 30}));
}

TEST(DetectionsInput, WhatIsNoRectangleIsDroppedAndCounted)
{
  const DetectionsInput input = read(
    {detection(NAN, 1, 4, 4), detection(1, kInfinity, 4, 4), detection(1, 1, NAN, 4),
     detection(1, 1, 4, kInfinity), detection(1, 1, -4, 4), detection(1, 1, 4, 0),
     detection(1, 1, 4, 4, NAN), detection(1, 1, 4, 4, kInfinity), detection(50, 40, 20, 10)});

  EXPECT_EQ(input.dropped, 8);
  ASSERT_EQ(input.regions.size(), 1u);
  EXPECT_EQ(input.regions[0].box, (Box{40, 35, 20, 10}));
}

TEST(DetectionsInput, NoNumberIsTooLarge)
{
  for (const Detection2D & one :
       {detection(kLargest, -kLargest, kLargest, kLargest, 0.7), detection(0, 0, kLargest, 1),
        detection(-1e300, 5, 1e300, 7), detection(0, 0, 1e10, 1e10, 1e300)}) {
    const Box box = box_of(one);
    for (const int number : {box.x, box.y, box.x + box.width, box.y + box.height}) {
      EXPECT_LE(std::abs(number), (1 << 20) + 1);
    }
    EXPECT_GT(box.width, 0);
    EXPECT_GT(box.height, 0);
  }
}

TEST(DetectionsInput, AFloodOfDetectionsIsCut)
{
  const DetectionsInput input = read(std::vector<Detection2D>(5000, detection(5, 5, 4, 4)));
  EXPECT_EQ(input.regions.size(), 1000u);
  EXPECT_EQ(input.dropped, 4000);
}

}  // namespace
}  // namespace mgproto::messages
