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

PrototypeEvidence at(int prototype, float contribution, int row, int col)
{
  PrototypeEvidence evidence;
  evidence.prototype = prototype;
  evidence.contribution = contribution;
  evidence.row = row;
  evidence.col = col;
  return evidence;
}

TEST(MergePlaces, PutsPrototypesLessThanTwoCellsApartTogether)
{
  const auto places = merge_places({at(4, 0.5f, 3, 3), at(2, 0.25f, 4, 2), at(7, 0.125f, 3, 5)});

  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[0].prototype, 4);
  EXPECT_EQ(places[0].contribution, 0.75f);
  EXPECT_EQ(places[0].merged, std::vector<int>{2});
  EXPECT_EQ(places[1].prototype, 7);
  EXPECT_EQ(places[1].contribution, 0.125f);
  EXPECT_TRUE(places[1].merged.empty());
}

TEST(MergePlaces, MeasuresFromTheStrongestPrototypeOfAPlaceOnly)
{
  // In a row, each next to the one before: the third is two cells from the first.
  const auto places = merge_places({at(0, 0.5f, 1, 1), at(1, 0.3f, 1, 2), at(2, 0.2f, 1, 3)});
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[1].prototype, 2);
}

TEST(MergePlaces, OrdersPlacesByTheirSums)
{
  const auto places =
    merge_places({at(0, 0.3f, 0, 0), at(1, 0.25f, 5, 5), at(2, 0.2f, 5, 6), at(3, NAN, 9, 9)});
  ASSERT_EQ(places.size(), 3u);
  EXPECT_EQ(places[0].prototype, 1);
  EXPECT_EQ(places[1].prototype, 0);
  EXPECT_EQ(places[2].prototype, 3) << "not a number comes last";
  EXPECT_TRUE(merge_places({}).empty());
}

TEST(IsFound, AskedOfTheAngleWhateverTheWidth)
{
  const double pi = 3.14159265358979;
  PrototypeEvidence evidence;
  for (const double kappa : {1.0, 4.0}) {
    evidence.log_likelihood = static_cast<float>(2 * pi * kappa * (0.51 - 1));  // cos = 0.51
    EXPECT_TRUE(is_found(evidence, kappa));
    evidence.log_likelihood = static_cast<float>(2 * pi * kappa * (0.49 - 1));
    EXPECT_FALSE(is_found(evidence, kappa));
  }
  evidence.log_likelihood = NAN;
  EXPECT_FALSE(is_found(evidence, 1));
}

}  // namespace
}  // namespace mgproto
