// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <opencv2/core.hpp>
#include <vector>

#include "not_finite.hpp"
#include "visual/difference.hpp"
#include "visual/heat_map.hpp"

namespace mgproto::visual
{
namespace
{

int total_difference(const cv::Vec3b & one, const cv::Vec3b & other)
{
  return std::abs(one[0] - other[0]) + std::abs(one[1] - other[1]) + std::abs(one[2] - other[2]);
}

TEST(HeatMap, has_the_ends_of_the_colour_map_at_its_lowest_and_highest_cell)
{
  std::vector<float> map(49, 0.2f);
  map[2 * 7 + 4] = 0.9f;

  const cv::Mat relative = relative_heat(map, 7, 7, {700, 700});
  const cv::Mat colours = heat_colours(relative);

  EXPECT_NEAR(relative.at<float>(250, 450), 1.0f, 0.01f);
  EXPECT_EQ(relative.at<float>(650, 50), 0.0f);
  // Inferno goes from black to a pale yellow.
  EXPECT_LT(total_difference(colours.at<cv::Vec3b>(250, 450), {164, 255, 252}), 24);
  EXPECT_LT(total_difference(colours.at<cv::Vec3b>(650, 50), {4, 0, 0}), 8);
}

TEST(HeatMap, is_flat_zero_if_no_place_stands_out)
{
  for (const float value : {0.4f, 0.0f, kNaN, kInfinity}) {
    const cv::Mat relative = relative_heat(std::vector<float>(4, value), 2, 2, {8, 8});
    ASSERT_EQ(relative.size(), cv::Size(8, 8));
    EXPECT_EQ(cv::countNonZero(relative), 0) << value;
  }
}

TEST(HeatMap, takes_values_that_are_not_finite_for_the_lowest)
{
  const float largest = std::numeric_limits<float>::max();
  const cv::Mat relative =
    relative_heat({kNaN, -kInfinity, kInfinity, 1, 2, -largest, largest, 3, 4}, 3, 3, {3, 3});
  EXPECT_TRUE(cv::checkRange(relative, true, nullptr, 0, 1.001));
  EXPECT_EQ(relative.at<float>(0, 0), 0.0f);
  EXPECT_EQ(relative.at<float>(2, 0), 1.0f);
}

TEST(HeatMap, is_blended_over_the_seen_part_only)
{
  const cv::Mat before(100, 200, CV_8UC3, cv::Scalar(90, 90, 90));
  cv::Mat after = before.clone();

  blend_heat_map(after, {0, 0, 0, 1}, 2, 2, {50, 10, 100, 80});

  EXPECT_EQ(difference(before, after), cv::Rect(50, 10, 100, 80));
  const cv::Vec3b cold = after.at<cv::Vec3b>(15, 55);
  const cv::Vec3b hot = after.at<cv::Vec3b>(85, 145);
  EXPECT_LT(cold[2], 90);
  EXPECT_GT(hot[2], 200);
}

TEST(HeatMap, leaves_the_image_alone_if_the_sizes_do_not_fit)
{
  const cv::Mat before(10, 10, CV_8UC3, cv::Scalar(90, 90, 90));
  cv::Mat after = before.clone();
  blend_heat_map(after, {1, 2, 3}, 2, 2, {0, 0, 10, 10});
  blend_heat_map(after, {}, 0, 0, {0, 0, 10, 10});
  blend_heat_map(after, {1, 2}, 1, 2, {});
  blend_heat_map(after, {1, 2}, 1, 2, {50, 50, 10, 10});
  blend_heat_map(after, {1, 2}, 1, 2, {kNaN, 0, 10, 10});
  EXPECT_TRUE(difference(before, after).empty());
}

TEST(HeatMap, darkens_what_was_not_seen)
{
  cv::Mat image(10, 10, CV_8UC3, cv::Scalar(100, 100, 100));
  darken_unseen(image, {2, 2, 6, 6});
  EXPECT_EQ(image.at<cv::Vec3b>(0, 0)[0], 35);
  EXPECT_EQ(image.at<cv::Vec3b>(5, 5)[0], 100);
}

}  // namespace
}  // namespace mgproto::visual
