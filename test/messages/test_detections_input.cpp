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

using perception::Region;
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

std::vector<Region> read(const std::vector<Detection2D> & detections)
{
  Detection2DArray message;
  message.detections = detections;
  return read_detections(message);
}

Box box_of(const Detection2D & one)
{
  const Region region = read({one}).at(0);
  EXPECT_EQ(region.problem, "");
  return region.box;
}

TEST(DetectionsInput, IdClassAndScoreComeThrough)
{
  std::vector<Detection2D> detections{detection(10, 10, 4, 4), detection(20, 20, 4, 4)};
  detections[0].id = "a";
  const auto guess = [&](const std::string & class_id, double score) {
    detections[0].results.emplace_back();
    detections[0].results.back().hypothesis.class_id = class_id;
    detections[0].results.back().hypothesis.score = score;
  };
  guess("broken", NAN);
  guess("bottle", 0.2);
  guess("cup", 0.7);
  guess("can", 0.1);

  const std::vector<Region> regions = read(detections);

  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[0].detection_id, "a");
  EXPECT_EQ(regions[0].detection_class, "cup");
  EXPECT_EQ(regions[0].detection_score, 0.7);
  EXPECT_EQ(regions[1].detection_id, "");
  EXPECT_EQ(regions[1].detection_class, "");
  EXPECT_TRUE(std::isnan(regions[1].detection_score));
  EXPECT_TRUE(read({}).empty());
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

TEST(DetectionsInput, WhatIsNoRectangleKeepsItsPlaceAndSaysWhy)
{
  const std::vector<Region> regions = read(
    {detection(NAN, 1, 4, 4), detection(1, kInfinity, 4, 4), detection(1, 1, NAN, 4),
     detection(1, 1, 4, kInfinity), detection(1, 1, -4, 4), detection(1, 1, 4, 0),
     detection(1, 1, 4, 4, NAN), detection(1, 1, 4, 4, kInfinity), detection(50, 40, 20, 10)});

  ASSERT_EQ(regions.size(), 9u);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_NE(
      regions[i].problem.find("no size, or numbers that are not finite"), std::string::npos);
  }
  EXPECT_EQ(regions[8].problem, "");
  EXPECT_EQ(regions[8].box, (Box{40, 35, 20, 10}));
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

TEST(DetectionsInput, OfAFloodOfDetectionsAThousandAreLookedAt)
{
  std::vector<Detection2D> flood(5000, detection(5, 5, 4, 4));
  flood[0] = detection(5, 5, 0, 0);
  const std::vector<Region> regions = read(flood);
  ASSERT_EQ(regions.size(), 5000u);
  EXPECT_EQ(regions[1000].problem, "");
  EXPECT_EQ(regions[1001].problem, "more than 1000 detections in one image");
}

}  // namespace
}  // namespace mgproto::messages
