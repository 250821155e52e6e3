// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <vector>

#include "visual/label_place.hpp"

namespace mgproto::visual
{
namespace
{

constexpr int kWidth = 40;
constexpr int kHeight = 12;
const cv::Rect kArea(0, 20, 200, 160);

std::optional<cv::Rect> place(const cv::Rect & box, const std::vector<cv::Rect> & taken = {})
{
  return label_place(box, {kWidth, kHeight}, kArea, taken);
}

TEST(LabelPlace, IsAboveTheBoxWhereThatIsFree)
{
  EXPECT_EQ(place({60, 60, 50, 50}), cv::Rect(60, 60 - kHeight, kWidth, kHeight));
}

TEST(LabelPlace, IsWithinTheAreaWhereverTheBoxIs)
{
  for (const cv::Rect box :
       {cv::Rect(-30, -30, 60, 60), {190, 170, 50, 50}, {0, 0, 200, 200}, {-5000, 9000, 1, 1}}) {
    const auto label = place(box);
    ASSERT_TRUE(label) << box;
    EXPECT_EQ(*label & kArea, *label) << box;
  }
}

TEST(LabelPlace, CoversNoOtherLabel)
{
  // Boxes at one place, in a corner, side by side.
  for (const int step : {0, 1, 7, 30}) {
    std::vector<cv::Rect> taken;
    for (int i = 0; i < 3; ++i) {
      const auto label = place({150 - step * i, 25 + step * i, 45, 20}, taken);
      ASSERT_TRUE(label) << step << " " << i;
      for (const cv::Rect & other : taken) {
        EXPECT_TRUE((other & *label).empty()) << step << " " << i;
      }
      taken.push_back(*label);
    }
  }
}

TEST(LabelPlace, IsNowhereIfThereIsNoRoom)
{
  EXPECT_FALSE(place({60, 60, 50, 50}, {kArea}));
  EXPECT_FALSE(label_place({0, 0, 5, 5}, {kWidth, kHeight}, {0, 0, 30, 30}, {}));
}

}  // namespace
}  // namespace mgproto::visual
