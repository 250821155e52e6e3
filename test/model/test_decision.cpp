// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// From densities to ranking, class, verdict and its reason.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "model/conformal.hpp"
#include "model/decision.hpp"

namespace mgproto
{
namespace
{

/// 0.75 of four images: the lowest of them is the threshold.
Calibration calibration() { return {0.75, {-10, -6, -4, -3}}; }

Prediction decided(
  std::vector<float> posterior, float log_density,
  const std::optional<Calibration> & with = calibration(), double tpr = 0)
{
  Prediction prediction;
  prediction.posterior = std::move(posterior);
  prediction.log_density = log_density;
  prediction.ranking = {7};  // of the image before
  prediction.typicality = 0.125f;
  decide(prediction, with, {tpr, {}});
  return prediction;
}

TEST(Conformal, RankIsTheLargestThatKeepsThePromise)
{
  for (const double rate : {0.5, 0.8, 0.9, 0.95, 0.99, 1 - 1e-6}) {
    const std::int64_t fewest = images_needed(rate);
    EXPECT_EQ(conformal_rank(fewest, rate), 1) << rate;
    EXPECT_EQ(conformal_rank(fewest - 1, rate), 0) << rate;
  }
  EXPECT_EQ(images_needed(0.95), 19);
  EXPECT_EQ(images_needed(0.99), 99);
  EXPECT_EQ(conformal_rank(60, 0.95), 3);  // 61 * 0.05 = 3.05
  EXPECT_EQ(conformal_rank(99, 0.9), 10);
  EXPECT_EQ(conformal_rank(1'000'000, 1), 0);
}

/// Many small calibrations, each judged by images of its own: the mean is what is promised.
TEST(Conformal, AcceptsTheAskedShareOfImagesInTheMeanOverCalibrations)
{
  std::mt19937 random(1);
  std::lognormal_distribution<double> draw(0, 1.5);  // far from a Gaussian
  for (const double rate : {0.8, 0.95}) {
    for (const int images : {19, 25, 60}) {
      double accepted = 0;
      int inside = 0;
      constexpr int kCalibrations = 2000;
      const AcceptedShare expected = accepted_share(images, rate);
      for (int i = 0; i < kCalibrations; ++i) {
        Calibration calibration{rate, {}};
        for (int n = 0; n < images; ++n) {
          calibration.log_density.push_back(draw(random));
        }
        std::sort(calibration.log_density.begin(), calibration.log_density.end());
        const double threshold = threshold_for(calibration);
        const double share = 0.5 * std::erfc(std::log(threshold) / 1.5 / std::sqrt(2.0));
        accepted += share / kCalibrations;
        inside += share >= expected.low && share <= expected.high ? 1 : 0;
      }
      const double promised = 1 - conformal_rank(images, rate) / (images + 1.0);
      EXPECT_GE(promised, rate);
      EXPECT_NEAR(accepted, promised, 0.005) << rate << " of " << images;
      EXPECT_NEAR(inside / double{kCalibrations}, 0.9, 0.03) << rate << " of " << images;
    }
  }
}

TEST(Conformal, PValueIsTheShareThatIsNotAboveWithTheImageItself)
{
  const std::vector<double> ascending{-4, -3, -3, -1};
  EXPECT_DOUBLE_EQ(conformal_p_value(ascending, -9), 0.2);
  EXPECT_DOUBLE_EQ(conformal_p_value(ascending, -4), 0.4);
  EXPECT_DOUBLE_EQ(conformal_p_value(ascending, -3), 0.8);
  EXPECT_DOUBLE_EQ(conformal_p_value(ascending, -2), 0.8);
  EXPECT_DOUBLE_EQ(conformal_p_value(ascending, 1), 1);
}

TEST(Threshold, IsTheCheckpointsOwnUnlessAShareIsAskedFor)
{
  EXPECT_EQ(threshold_for(calibration()), -10);
  EXPECT_EQ(threshold_for(calibration(), {0.8, {}}), -10);
  EXPECT_EQ(threshold_for(calibration(), {0.6, {}}), -6);
  EXPECT_EQ(threshold_for(calibration(), {0.2, {}}), -3);
  EXPECT_EQ(threshold_for(calibration(), {1e-9, {}}), -3);
  EXPECT_EQ(threshold_for(calibration(), {NAN, {}}), -10);
  for (const double too_much : {0.81, 1.0, 7.0}) {
    EXPECT_TRUE(std::isnan(threshold_for(calibration(), {too_much, {}}))) << too_much;
  }
}

TEST(Threshold, AModelThatCannotDecideSaysWhy)
{
  Manifest manifest;
  EXPECT_EQ(calibration_problem(manifest), "the model is not calibrated");
  manifest.calibration_defect = "its calibration is of an earlier version";
  EXPECT_EQ(
    calibration_problem(manifest),
    "the model is not calibrated: its calibration is of an earlier version");
  manifest.calibration = calibration();
  EXPECT_EQ(calibration_problem(manifest), "");
  EXPECT_EQ(
    calibration_problem(manifest, 0.99),
    "the model was calibrated on 4 images, too few to promise a tpr of 0.99, which needs 99");
}

TEST(Decision, KnownAtOrAboveTheThresholdUnknownBelow)
{
  const Calibration calibration{0.5, {-3, 0}};
  const Prediction at = decided({0.2f, 0.8f}, -3, calibration);
  EXPECT_EQ(at.verdict, Verdict::known);
  EXPECT_EQ(at.reason, Reason::none);
  EXPECT_EQ(at.class_id, 1);
  EXPECT_EQ(at.threshold, -3);
  EXPECT_FLOAT_EQ(at.typicality.value(), 2.0f / 3);

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

  EXPECT_EQ(own.threshold, -10);
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

TEST(Decision, WithTooFewImagesForAShareNothingIsClaimed)
{
  const Prediction prediction = decided({1}, 0, calibration(), 0.95);
  EXPECT_EQ(prediction.verdict, Verdict::uncalibrated);
  EXPECT_EQ(prediction.reason, Reason::uncalibrated);
  EXPECT_FALSE(prediction.typicality);
}

TEST(Decision, KnownMeansATypicalityAboveWhatMayBeLost)
{
  for (double log_density = -11; log_density < -2; log_density += 0.25) {
    for (const double tpr : {0.2, 0.4, 0.5, 0.6, 0.8}) {
      const Prediction prediction =
        decided({1}, static_cast<float>(log_density), calibration(), tpr);
      EXPECT_EQ(prediction.verdict == Verdict::known, *prediction.typicality > 1 - tpr + 1e-6)
        << log_density << " " << tpr;
    }
  }
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
