// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// What calibrations on some of the test images accept of the others.

#include <gtest/gtest.h>

#include <cmath>

#include "model/random.hpp"
#include "training/measure/coverage.hpp"

namespace mgproto
{
namespace
{

std::vector<Answers> known_images(int count)
{
  Random random{7};
  std::vector<Answers> all(count);
  for (Answers & answers : all) {
    for (double & answer : answers) {
      answer = std::exp(random.normal());  // nothing is normal about real answers
    }
  }
  return all;
}

Calibration of_images(int count, double tpr, Criterion criterion)
{
  Calibration calibration;
  calibration.tpr = tpr;
  calibration.criterion = criterion;
  calibration.log_density.assign(count, 0);
  if (criterion == Criterion::joint) {
    calibration.joint.assign(count, 0);
  }
  return calibration;
}

TEST(CoverageTest, IsWhatWasAskedForInTheMean)
{
  const std::vector<Answers> images = known_images(600);
  for (const Criterion criterion : {Criterion::log_density, Criterion::joint}) {
    for (const double tpr : {0.8, 0.95}) {
      const auto coverage = coverage_over_splits(images, of_images(60, tpr, criterion));
      ASSERT_TRUE(coverage);
      EXPECT_EQ(coverage->accepted.size(), 200u);
      EXPECT_EQ(coverage->calibrated_on, 60);
      EXPECT_GE(coverage->mean, tpr - 0.005);
      EXPECT_LE(coverage->mean, tpr + 0.03);
      EXPECT_LT(coverage->accepted.front(), coverage->accepted.back())
        << "one calibration is a draw";
      EXPECT_EQ(
        coverage->accepted, coverage_over_splits(images, of_images(60, tpr, criterion))->accepted);
    }
  }
}

TEST(CoverageTest, CalibratesOnHalfOfFewImagesAndNotAtAllOnTooFew)
{
  const auto half =
    coverage_over_splits(known_images(50), of_images(60, 0.95, Criterion::log_density));
  ASSERT_TRUE(half);
  EXPECT_EQ(half->calibrated_on, 25);
  EXPECT_FALSE(coverage_over_splits(known_images(36), of_images(60, 0.95, Criterion::log_density)));
}

}  // namespace
}  // namespace mgproto
