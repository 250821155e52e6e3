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

TEST(HeatMap, has_one_scale_whatever_the_other_values_are)
{
  std::vector<float> map(49, 0.2f);
  map[2 * 7 + 4] = 0.9f;

  const cv::Mat large = enlarged_map(map, 7, 7, {700, 700});

  EXPECT_NEAR(large.at<float>(250, 450), 0.9f, 0.01f);
  EXPECT_NEAR(large.at<float>(650, 50), 0.2f, 0.001f);
}

TEST(HeatMap, takes_values_outside_the_scale_for_its_ends_and_not_finite_ones_for_zero)
{
  const float largest = std::numeric_limits<float>::max();
  const cv::Mat large =
    enlarged_map({kNaN, -kInfinity, kInfinity, -1, 2, -largest, largest, 0, 1}, 3, 3, {3, 3});
  const cv::Mat expected = (cv::Mat_<float>(3, 3) << 0, 0, 0, 0, 1, 0, 1, 0, 1);
  EXPECT_EQ(cv::norm(large, expected, cv::NORM_INF), 0);
}

TEST(HeatMap, is_clear_at_zero_and_pale_yellow_at_one)
{
  cv::Mat image(1, 2, CV_8UC3, cv::Scalar(90, 120, 150));
  blend_heat(image, (cv::Mat_<float>(1, 2) << 0, 1), 1);
  EXPECT_EQ(image.at<cv::Vec3b>(0, 0), cv::Vec3b(90, 120, 150));
  // The end of inferno.
  EXPECT_LT(total_difference(image.at<cv::Vec3b>(0, 1), {164, 255, 252}), 24);
}

TEST(HeatMap, is_blended_over_the_seen_part_only)
{
  const cv::Mat before(100, 200, CV_8UC3, cv::Scalar(90, 90, 90));
  cv::Mat after = before.clone();

  blend_heat_map(after, {0, 0, 0, 0, 0, 0, 0, 0, 1}, 3, 3, {50, 10, 100, 80});

  const cv::Rect drawn = difference(before, after);
  EXPECT_EQ(drawn & cv::Rect(50, 10, 100, 80), drawn);
  EXPECT_EQ(drawn.br(), cv::Point(150, 90));
  EXPECT_EQ(after.at<cv::Vec3b>(15, 55), before.at<cv::Vec3b>(15, 55)) << "clear where nothing is";
  EXPECT_GT(after.at<cv::Vec3b>(85, 145)[2], 200);
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
