// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cmath>

#include "model/decision.hpp"
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

Calibration calibration_of(std::vector<double> quantiles, double threshold)
{
  Calibration calibration;
  calibration.quantiles = std::move(quantiles);
  calibration.threshold = threshold;
  calibration.count = 100;
  return calibration;
}

TEST(Typicality, IsTheShareOfCalibrationImagesBelow)
{
  const Calibration calibration = calibration_of({-4, -3, -2, -1, 0}, -3.5);
  EXPECT_FLOAT_EQ(typicality(calibration, -9), 0);
  EXPECT_FLOAT_EQ(typicality(calibration, -4), 0);
  EXPECT_FLOAT_EQ(typicality(calibration, -2), 0.5);
  EXPECT_FLOAT_EQ(typicality(calibration, -1.5), 0.625);
  EXPECT_FLOAT_EQ(typicality(calibration, 1), 1);
  // Many equal values: none of them is lower than itself.
  EXPECT_FLOAT_EQ(typicality(calibration_of({-2, -1, -1, -1, 0}, -1), -1), 0.25);
}

Recognition recognition_of(std::vector<float> posterior, float log_density)
{
  Recognition recognition;
  recognition.posterior = std::move(posterior);
  recognition.log_density = log_density;
  return recognition;
}

TEST(Decision, KnownAtOrAboveTheThresholdUnknownBelow)
{
  const Calibration calibration = calibration_of({-4, 0}, -3);
  Recognition at = recognition_of({0.2f, 0.8f}, -3);
  decide(at, calibration);
  EXPECT_EQ(at.verdict, Verdict::known);
  EXPECT_EQ(at.class_id, 1);

  Recognition below = recognition_of({0.9f, 0.1f}, -3.001f);
  decide(below, calibration);
  EXPECT_EQ(below.verdict, Verdict::unknown);
  EXPECT_EQ(below.class_id, 0);
}

TEST(Decision, WithoutCalibrationNothingIsClaimed)
{
  Recognition recognition = recognition_of({1.0f}, 0);
  decide(recognition, std::nullopt);
  EXPECT_EQ(recognition.verdict, Verdict::uncalibrated);
  EXPECT_FALSE(recognition.typicality);
}

TEST(Decision, NoClassIsGuessedOutOfNaN)
{
  for (const float log_density : {NAN, INFINITY, -INFINITY}) {
    Recognition recognition = recognition_of({0.5f, 0.5f}, log_density);
    decide(recognition, calibration_of({-4, 0}, -3));
    EXPECT_EQ(recognition.class_id, -1);
    EXPECT_EQ(recognition.verdict, Verdict::unknown);
  }
  Recognition recognition = recognition_of({NAN, 0.5f}, 0);
  decide(recognition, std::nullopt);
  EXPECT_EQ(recognition.class_id, -1);
  EXPECT_EQ(recognition.verdict, Verdict::unknown);
}

}  // namespace
}  // namespace mgproto
