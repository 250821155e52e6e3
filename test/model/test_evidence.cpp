// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cmath>

#include "model/evidence.hpp"

namespace mgproto
{
namespace
{

InputGeometry geometry_of(int size, int width, int height)
{
  InputGeometry geometry;
  geometry.size = size;
  geometry.original_width = width;
  geometry.original_height = height;
  geometry.scale_x = static_cast<double>(width) / size;
  geometry.scale_y = static_cast<double>(height) / size;
  return geometry;
}

TEST(ActivationBox, SurroundsThePeakInOriginalPixels)
{
  std::vector<float> map(7 * 7, 0.0f);
  map[2 * 7 + 5] = 1;  // row 2, column 5 of 7: centre at (5.5/7, 2.5/7) of the image
  const Box box = activation_box(map, 7, 7, geometry_of(224, 641, 479));

  const double x = 641 * 5.5 / 7, y = 479 * 2.5 / 7;
  EXPECT_LT(box.x, x);
  EXPECT_GT(box.x + box.width, x);
  EXPECT_NEAR(box.x + box.width / 2.0, x, 4);
  EXPECT_NEAR(box.y + box.height / 2.0, y, 4);
  // 5 % of the pixels, in one blob: about 0.22 of each side.
  EXPECT_LT(box.width, 0.3 * 641);
  EXPECT_LT(box.height, 0.3 * 479);
}

TEST(ActivationBox, OfAFlatMapIsTheWholeImage)
{
  const std::vector<float> map(9, 0.25f);
  EXPECT_EQ(activation_box(map, 3, 3, geometry_of(64, 101, 53)), (Box{0, 0, 101, 53}));
}

TEST(ActivationBox, OfASinglePositionIsTheWholeImage)
{
  EXPECT_EQ(activation_box({0.5f}, 1, 1, geometry_of(32, 5, 7)), (Box{0, 0, 5, 7}));
}

TEST(ActivationBox, SurvivesValuesThatAreNotFinite)
{
  for (const std::vector<float> & map :
       {std::vector<float>{NAN, NAN, NAN, NAN}, {0.5f, NAN, 0.1f, NAN}}) {
    const Box box = activation_box(map, 2, 2, geometry_of(16, 30, 20));
    EXPECT_GE(box.width, 1);
    EXPECT_GE(box.height, 1);
  }
}

}  // namespace
}  // namespace mgproto
