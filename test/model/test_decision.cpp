// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// From densities to ranking, class, verdict and its reason.

#include <gtest/gtest.h>

#include <cmath>

#include "model/decision.hpp"

namespace mgproto
{
namespace
{

Calibration calibration_of(std::vector<double> quantiles, double threshold)
{
  Calibration calibration;
  calibration.quantiles = std::move(quantiles);
  calibration.threshold = threshold;
  calibration.count = 100;
  return calibration;
}

/// Quantiles at 0, 25, 50, 75 and 100 %.
Calibration calibration() { return calibration_of({-20, -10, -6, -4, -3}, -9.8); }

Prediction decided(
  std::vector<float> posterior, float log_density,
  const std::optional<Calibration> & with = calibration(), double tpr = 0)
{
  Prediction prediction;
  prediction.posterior = std::move(posterior);
  prediction.log_density = log_density;
  prediction.ranking = {7};  // of the image before
  prediction.typicality = 0.125f;
  decide(prediction, with, tpr);
  return prediction;
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

TEST(Threshold, IsTheCheckpointsOwnUnlessAShareIsAskedFor)
{
  EXPECT_DOUBLE_EQ(threshold_for(calibration(), 0), -9.8);
  EXPECT_DOUBLE_EQ(threshold_for(calibration(), 0.75), -10);
  EXPECT_DOUBLE_EQ(threshold_for(calibration(), 0.5), -6);
  EXPECT_DOUBLE_EQ(threshold_for(calibration(), 0.875), -15);
  EXPECT_DOUBLE_EQ(threshold_for(calibration(), 1), -20);
  EXPECT_DOUBLE_EQ(threshold_for(calibration(), 7), -20);
  EXPECT_NEAR(threshold_for(calibration(), 1e-9), -3, 1e-6);
  EXPECT_DOUBLE_EQ(threshold_for(calibration(), NAN), -9.8);
}

TEST(Decision, KnownAtOrAboveTheThresholdUnknownBelow)
{
  const Calibration calibration = calibration_of({-4, 0}, -3);
  const Prediction at = decided({0.2f, 0.8f}, -3, calibration);
  EXPECT_EQ(at.verdict, Verdict::known);
  EXPECT_EQ(at.reason, Reason::none);
  EXPECT_EQ(at.class_id, 1);
  EXPECT_EQ(at.threshold, -3);
  EXPECT_FLOAT_EQ(at.typicality.value(), 0.25);

  const Prediction below = decided({0.9f, 0.1f}, -3.001f, calibration);
  EXPECT_EQ(below.verdict, Verdict::unknown);
  EXPECT_EQ(below.reason, Reason::below_threshold);
  EXPECT_EQ(below.class_id, 0);
}

TEST(Decision, AShareThatIsAskedForMovesTheThresholdAndNothingElse)
{
  const Prediction own = decided({1}, -6);
  const Prediction half = decided({1}, -6, calibration(), 0.5);
  const Prediction just_below = decided({1}, -6.001f, calibration(), 0.5);

  EXPECT_EQ(own.threshold, -9.8);
  EXPECT_EQ(half.threshold, -6);
  EXPECT_EQ(half.verdict, Verdict::known);
  EXPECT_EQ(half.typicality, own.typicality);
  EXPECT_EQ(just_below.verdict, Verdict::unknown);
  EXPECT_EQ(just_below.reason, Reason::below_threshold);
}

TEST(Decision, ClassesAreRankedByFallingPosteriorAndEqualOnesByIndex)
{
  const Prediction prediction = decided({0.1f, 0.3f, 0.1f, 0.3f, 0.2f}, -5);

  EXPECT_EQ(prediction.ranking, (std::vector<int>{1, 3, 4, 0, 2}));
  EXPECT_EQ(prediction.class_id, 1);
  EXPECT_EQ(prediction.most_probable(2), (std::vector<int>{1, 3}));
  EXPECT_EQ(prediction.most_probable(0), prediction.ranking);
  EXPECT_EQ(prediction.most_probable(100), prediction.ranking);
}

TEST(Decision, WithoutCalibrationNothingIsClaimed)
{
  const Prediction prediction = decided({0.5f, 0.5f}, 0, std::nullopt, 0.95);
  EXPECT_EQ(prediction.verdict, Verdict::uncalibrated);
  EXPECT_EQ(prediction.reason, Reason::uncalibrated);
  EXPECT_EQ(prediction.class_id, 0);
  EXPECT_TRUE(std::isnan(prediction.threshold));
  EXPECT_FALSE(prediction.typicality);
}

TEST(Decision, NoClassIsGuessedOutOfNaN)
{
  for (const Prediction & prediction :
       {decided({0.5f, 0.5f}, NAN), decided({0.5f, 0.5f}, INFINITY), decided({1, 0}, -INFINITY),
        decided({NAN, 0.5f}, -5), decided({0.5f, NAN}, -5, std::nullopt), decided({}, -5)}) {
    EXPECT_EQ(prediction.class_id, -1);
    EXPECT_TRUE(prediction.ranking.empty());
    EXPECT_EQ(prediction.verdict, Verdict::unknown);
    EXPECT_EQ(prediction.reason, Reason::not_finite);
    EXPECT_FALSE(prediction.typicality);
  }
}

}  // namespace
}  // namespace mgproto
