// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The OoD scores of training/measure, precision and recall, risk and coverage, recognition: on
// numbers worked out by hand. Nothing here trains or runs a network.

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <functional>

#include "mgproto_ros/error.hpp"
#include "training/measure/feature_scores.hpp"
#include "training/measure/logit_scores.hpp"
#include "training/measure/recognition.hpp"
#include "training/measure/score_metrics.hpp"
#include "training/measure/softmax_scores.hpp"
#include "training/score_inputs.hpp"

namespace mgproto
{
namespace
{

// Logits log 1 and log 3: the softmax is 1/4 and 3/4, the sum of exponentials 4.
const Rows one_to_three = {{0, std::log(3.0)}};

TEST(LogitScores, MspIsTheLargestProbability) { expect_scores(msp(matrix(one_to_three)), {0.75}); }

TEST(LogitScores, MaxLogitIsTheLargestLogit)
{
  expect_scores(max_logit(matrix(one_to_three)), {std::log(3.0)});
}

TEST(LogitScores, EnergyIsTheLogOfTheSumOfExponentials)
{
  expect_scores(energy(matrix(one_to_three)), {std::log(4.0)});
}

TEST(LogitScores, GenIsMinusTheGeneralisedEntropy)
{
  // p (1 - p) = 3/16 for both classes; a certain answer has none.
  expect_scores(gen(matrix({one_to_three[0], {0, 1000}})), {-2 * std::pow(3.0 / 16, 0.1), 0});
}

TEST(LogitScores, GenLooksAtTheHundredMostProbableClasses)
{
  // 102 equal classes, p = 1/102 each.
  expect_scores(gen(torch::zeros({1, 102})), {-100 * std::pow(101.0 / (102.0 * 102.0), 0.1)});
}

TEST(LogitScores, AreFiniteForHugeLogitsAndForOneClass)
{
  for (const auto & score : {msp, max_logit, energy, gen}) {
    EXPECT_TRUE(all_finite(score(matrix({{3e38, -3e38}, {-3e38, -3e38}, {0, 3e38}}))));
    EXPECT_TRUE(all_finite(score(matrix({{3e38}, {-3e38}, {0}}))));
    EXPECT_EQ(score(torch::zeros({0, 3})).size(0), 0);
  }
}

TEST(LogitScores, NameAnInputOfTheWrongShape)
{
  EXPECT_EQ(
    message_of([] { energy(torch::zeros({3})); }), "logits: expected [N, 1 or more], not [3]");
  EXPECT_EQ(message_of([] { msp({}); }), "logits: expected [N, 1 or more], not nothing");
  EXPECT_EQ(
    message_of([] {
      max_logit(torch::zeros({2, 0}));
    }),
    "logits: expected [N, 1 or more], not [2, 0]");
}

// Class means (0, 0) and (10, 0). About them x is -1, 1, 0, 0 and y is 0, 0, -2, 2, so the shared
// covariance is diag(2/4, 8/4).
const ImageOutputs two_classes = images_with({{-1, 0}, {1, 0}, {10, -2}, {10, 2}}, {0, 0, 1, 1});

TEST(MahalanobisScore, IsMinusTheSquaredDistanceToTheNearestClass)
{
  // (1, 2): 1 / 0.5 + 4 / 2 = 4 to class 0. (5, 0): 25 / 0.5 = 50 to both.
  expect_scores(mahalanobis(two_classes)(images_with({{1, 2}, {10, 0}, {5, 0}})), {-4, 0, -50});
}

TEST(MahalanobisScore, UsesCorrelationsOfTheFeatures)
{
  // One class, mean 0, covariance [[2, 1], [1, 1]] with the inverse [[1, -1], [-1, 2]]:
  // (1, 1) has 1 - 2 + 2 = 1, (1, -1) has 1 + 2 + 2 = 5.
  const ImageOutputs training = images_with({{2, 1}, {-2, -1}, {0, 1}, {0, -1}}, {0, 0, 0, 0});

  expect_scores(mahalanobis(training)(images_with({{1, 1}, {1, -1}})), {-1, -5});
}

TEST(MahalanobisScore, ClassNumbersMayHaveGaps)
{
  ImageOutputs training = two_classes;
  training.labels = labels({3, 3, 70, 70});

  expect_scores(mahalanobis(training)(images_with({{1, 2}, {10, 0}})), {-4, 0});
}

TEST(MahalanobisScore, IgnoresDirectionsWithoutVariation)
{
  // x varies by 1, y never: the covariance is diag(1, 0).
  const ImageOutputs training = images_with({{-1, 3}, {1, 3}}, {0, 0});

  expect_scores(mahalanobis(training)(images_with({{2, 3}, {2, 100}})), {-4, -4});
}

TEST(MahalanobisScore, RoundingOfFloat32IsNotVariation)
{
  // On a line but for rounding; beside it a point may not be millions of deviations away.
  const torch::Tensor line =
    torch::arange(20, torch::kFloat32).view({20, 1}) / 7 * torch::tensor({{0.1f, 0.7f, 0.3f}});
  const ImageOutputs training{{}, line, torch::zeros({20}, torch::kInt64)};

  const torch::Tensor beside = mahalanobis(training)({{}, line + 0.1f, {}});

  EXPECT_GT(beside.min().item<double>(), -100);
}

TEST(MahalanobisScore, OfASingleTrainingImageIsZeroEverywhere)
{
  expect_scores(mahalanobis(images_with({{1, 2}}, {0}))(images_with({{1, 2}, {9, 9}})), {0, 0});
}

TEST(MahalanobisScore, IsTheSameWithFewerImagesThanDimensions)
{
  const Rows few = {{1, 0, 2, 0}, {0, 3, 1, 1}, {2, 2, 0, -1}};
  Rows twice = few;
  twice.insert(twice.end(), few.begin(), few.end());
  const ImageOutputs query = images_with({{1, 1, 1, 0}, {0, 2, 1, 3}});

  const torch::Tensor scores = mahalanobis(images_with(few, {0, 0, 0}))(query);

  EXPECT_LT(scores.max().item<double>(), -0.1);
  expect_scores(
    mahalanobis(images_with(twice, {0, 0, 0, 0, 0, 0}))(query),
    {scores[0].item<double>(), scores[1].item<double>()});
}

TEST(MahalanobisOfDirectionsScore, LengthsDoNotCount)
{
  // Unit vectors (0.6, 0.8), (0.8, 0.6) of one class: mean (0.7, 0.7), variance 0.02 along (1, -1).
  const OodScore score = mahalanobis_of_directions(images_with({{3, 4}, {8, 6}}, {0, 0}));

  // (1, 0) is 0.3 and -0.7 away, 1 / sqrt 2 along that direction: 0.5 / 0.02.
  expect_scores(score(images_with({{0.6, 0.8}, {60, 80}, {5, 0}})), {-1, -1, -25});
}

TEST(RelativeMahalanobisScore, IsTheDistanceToAllLessThatToTheNearestClass)
{
  // All images: mean (5, 0), covariance diag(102 / 4, 8 / 4).
  expect_scores(
    relative_mahalanobis(two_classes)(images_with({{1, 2}, {10, 0}, {5, 0}})),
    {16 / 25.5 + 2 - 4, 25 / 25.5, -50});
}

TEST(GemScore, SumsTheClassesDensities)
{
  // (1, 2): 4 to class 0, 81 / 0.5 + 4 / 2 = 164 to class 1. (5, 0): 50 to both.
  expect_scores(
    gem(two_classes)(images_with({{1, 2}, {5, 0}})),
    {std::log(std::exp(-2.0) + std::exp(-82.0)), std::log(2.0) - 25});
}

TEST(GemScore, IsFiniteWhereTheDensityIsNot)
{
  // The squared distance is 1e60 / 0.5. exp underflows, the score does not.
  const double score = gem(two_classes)(images_with({{1e30, 0}}))[0].item<double>();

  EXPECT_NEAR(score / -1e60, 1, kTolerance);
}

// Unit vectors (1, 0), (0, 1) and (-1, 0).
const ImageOutputs three_directions = images_with({{1, 0}, {0, 2}, {-3, 0}});

TEST(KnnScore, IsMinusTheDistanceToTheKthNearestDirection)
{
  const ImageOutputs images = images_with({{5, 0}, {0, 0.1}});

  expect_scores(knn(three_directions, 1)(images), {0, 0});
  expect_scores(knn(three_directions, 2)(images), {-std::sqrt(2.0), -std::sqrt(2.0)});
  expect_scores(knn(three_directions, 3)(images), {-2, -std::sqrt(2.0)});
}

TEST(KnnScore, TakesTheFarthestWhereThereAreFewerThanFifty)
{
  expect_scores(knn(three_directions)(images_with({{5, 0}})), {-2});
}

TEST(KnnScore, TakesTheFiftiethNeighbourByDefault)
{
  // 50 times (1, 0), then 10 times (-1, 0).
  Rows training(50, {1, 0});
  training.insert(training.end(), 10, {-1, 0});

  expect_scores(knn(images_with(training))(images_with({{1, 0}, {-1, 0}})), {0, -2});
}

TEST(KnnScore, NeighboursAreOfOneClass)
{
  EXPECT_EQ(neighbours_within_classes(torch::arange(600) % 20), 15);
  EXPECT_EQ(neighbours_within_classes(torch::arange(50000) % 10), 50);
  EXPECT_EQ(neighbours_within_classes(torch::arange(3)), 1);
}

TEST(KnnScore, AFeatureOfLengthZeroStaysFinite)
{
  expect_scores(knn(three_directions)(images_with({{0, 0}})), {-1});
  expect_scores(knn(images_with({{0, 0}, {1, 0}}), 1)(images_with({{0, 1}, {0, 0}})), {-1, 0});
}

TEST(KnnScore, ManyImagesKeepTheirOrder)
{
  // More than are computed at once: the i-th points at angle i / 1000 from the only training image.
  const torch::Tensor angle = torch::arange(200, torch::kFloat64) / 1000;
  const ImageOutputs images{{}, torch::stack({angle.cos(), angle.sin()}, 1), {}};

  const torch::Tensor scores = knn(images_with({{1, 0}}))(images);

  EXPECT_LT((scores + 2 * (angle / 2).sin()).abs().max().item<double>(), kTolerance);
}

TEST(VimPrincipalSpace, HasThePapersDimensions)
{
  EXPECT_EQ(principal_dimensions(2048, 5000), 1000);
  EXPECT_EQ(principal_dimensions(2047, 5000), 512);
  EXPECT_EQ(principal_dimensions(768, 5000), 512);
  EXPECT_EQ(principal_dimensions(767, 5000), 383);
  EXPECT_EQ(principal_dimensions(1, 5000), 0);
  EXPECT_EQ(principal_dimensions(2048, 600), 300);
}

// Mean 0, moments 8/4 along x and 2/4 along y: x is principal, the residual is |y|. The residuals
// sum to 2 and the largest logits to 12, so alpha = 6.
ImageOutputs vim_training()
{
  ImageOutputs training = images_with({{-2, 0}, {2, 0}, {0, 1}, {0, -1}});
  training.logits = matrix({{3, 0}, {3, 1}, {0, 3}, {2, 3}});
  return training;
}

ImageOutputs with_equal_logits(ImageOutputs images)
{
  images.logits = torch::zeros({images.features.size(0), 2});
  return images;
}

TEST(VimScore, IsTheEnergyMinusTheVirtualLogit)
{
  const ImageOutputs images = with_equal_logits(images_with({{7, 0.5}, {0, 0}, {0, -9}}));

  expect_scores(
    vim(vim_training())(images), {std::log(2.0) - 3, std::log(2.0), std::log(2.0) - 54});
}

TEST(VimScore, MeasuresAboutTheMeanOfTheTrainingFeatures)
{
  ImageOutputs training = vim_training();
  training.features += vector({100, 50});

  expect_scores(vim(training)(with_equal_logits(images_with({{0, 50.5}}))), {std::log(2.0) - 3});
}

TEST(VimScore, MeasuresAboutTheLinearLayersOriginWhereThereIsOne)
{
  // Logits x - 1 and y are 0 at (1, 0). About it the training features are (3, 1) and (3, -1): x is
  // principal, the residuals are 1 and 1. (About their mean y would be principal.) The largest
  // logits are 2 and 4, so alpha = 3.
  ImageOutputs training = images_with({{4, 1}, {4, -1}});
  training.logits = matrix({{2, 0}, {4, 0}});
  const OodScore score = vim(training, LinearLayer{matrix({{1, 0}, {0, 1}}), vector({-1, 0})});

  expect_scores(
    score(with_equal_logits(images_with({{100, 2}, {0, 0}}))), {std::log(2.0) - 6, std::log(2.0)});
}

TEST(VimScore, ALargerResidualIsWorseForLogDensitiesToo)
{
  ImageOutputs training = vim_training();
  training.logits = matrix({{-3, -9}, {-3, -4}, {-7, -3}, {-5, -3}});

  expect_scores(vim(training)(with_equal_logits(images_with({{7, 0.5}}))), {std::log(2.0) - 3});
}

TEST(VimScore, IsTheEnergyWhereTrainingLeavesNoResidual)
{
  ImageOutputs training = images_with({{-0.3, -0.7}, {0.6, 1.4}, {-0.3, -0.7}});
  training.logits = matrix({{3}, {3}, {3}});
  const ImageOutputs images = with_equal_logits(images_with({{5, -1}}));

  expect_scores(vim(training)(images), {std::log(2.0)});
  training = images_with({{1, 2}});
  expect_scores(vim(training)(images), {std::log(2.0)});
}

TEST(VimScore, NamesLogitsAndLayersThatDoNotFit)
{
  ImageOutputs training = vim_training();
  EXPECT_EQ(
    message_of([&] {
      vim(training, LinearLayer{torch::zeros({2, 2}), torch::zeros({3})});
    }),
    "bias: expected [2]");
  EXPECT_EQ(
    message_of([&] {
      vim(training, LinearLayer{torch::zeros({2, 5}), torch::zeros({2})});
    }),
    "weight: expected [N, 2], not [2, 5]");
  training.logits = torch::zeros({1, 2});
  EXPECT_EQ(message_of([&] { vim(training); }), "logits: expected as many rows as features");
}

/// Two clouds of 40 images about (8, 0, 0, 0) and (0, 8, 0, 0), deviation 1.
class FittedScores : public ::testing::Test
{
protected:
  void SetUp() override
  {
    torch::manual_seed(1);
    const torch::Tensor classes = torch::arange(80).remainder(2);
    const torch::Tensor centres = 8 * torch::eye(2, 4).index_select(0, classes);
    training.features = centres + torch::randn({80, 4});
    training.logits = training.features.slice(1, 0, 2);
    training.labels = classes;
    near.features = centres.slice(0, 0, 20) + torch::randn({20, 4});
    near.logits = near.features.slice(1, 0, 2);
    far.features = torch::tensor({{-50.0f, -50.0f, 40.0f, -60.0f}});
    far.logits = far.features.slice(1, 0, 2);
  }

  /// Every way to fit a score.
  const std::vector<std::function<OodScore(const ImageOutputs &)>> fits{
    mahalanobis, gem, [](const ImageOutputs & images) { return knn(images); },
    [](const ImageOutputs & images) { return vim(images); }};

  ImageOutputs training, near, far;
};

TEST_F(FittedScores, AFarImageScoresBelowAllNearOnes)
{
  expect_far_below_near(fits, training, near, far);
}

TEST_F(FittedScores, NameInputsThatDoNotFit) { expect_misfits_named(fits, training, near); }

TEST_F(FittedScores, NameLabelsThatAreNotClasses)
{
  training.labels = torch::full({80}, -1, torch::kInt64);
  EXPECT_EQ(message_of([&] { mahalanobis(training); }), "labels: expected class numbers, not -1");
  training.labels = torch::zeros({80});
  EXPECT_EQ(message_of([&] { gem(training); }), "labels: expected [80] integers, not [80]");
  EXPECT_EQ(message_of([&] { knn(training, 0); }), "k: must be at least 1");
}

TEST_F(FittedScores, AreFiniteForFeaturesAtTheLimitsOfFloat32)
{
  ImageOutputs huge = far;
  huge.features = far.features.sign() * 3e38;
  for (const double scale : {1.0, 1e-37, 1e36}) {
    ImageOutputs scaled = training;
    scaled.features = training.features * scale;
    for (const auto & fit : fits) {
      EXPECT_TRUE(all_finite(fit(scaled)(huge))) << scale;
    }
  }
}

TEST(React, CutsActivationsOffAboveTheThreshold)
{
  // (1, 5) becomes (1, 2), the logits 1 and 2 + 1.
  expect_scores(
    react_energy(matrix({{1, 5}}), {matrix({{1, 0}, {0, 1}}), vector({0, 1})}, 2),
    {std::log(std::exp(1.0) + std::exp(3.0))});
}

TEST(React, TheThresholdIsAPercentileOfAllActivations)
{
  // 0 to 10 in no order: 90 % lie below 9.
  const torch::Tensor features = matrix({{10, 3, 7, 0, 1, 5, 2, 9, 8, 6, 4}});

  EXPECT_NEAR(react_threshold(features), 9, kTolerance);
  EXPECT_NEAR(react_threshold(features, 0.05), 0.5, kTolerance);
  EXPECT_EQ(
    message_of([&] { react_threshold(features, 90); }), "percentile: must be within 0 and 1");
}

torch::Tensor one_to_four() { return vector({1, 4, 3, 2}).view({1, 1, 2, 2}); }

TEST(Ash, KeepsTheLargestActivationsAndScalesThem)
{
  // The sum falls from 10 to 7.
  const torch::Tensor map = one_to_four();
  const double scale = std::exp(10.0 / 7);

  const torch::Tensor shaped = ash_s(map, 0.5);

  EXPECT_EQ(shaped.sizes(), map.sizes());
  expect_scores(shaped.flatten(), {0, 4 * scale, 3 * scale, 0});
  EXPECT_TRUE(map.equal(one_to_four()));
}

TEST(Ash, PrunesNinetyPercentOfEachImage)
{
  // The sum falls from 55 to 10; in the other image from 10 to 1.
  const torch::Tensor map =
    torch::stack({torch::arange(1, 11, torch::kFloat64), torch::ones({10}, torch::kFloat64)})
      .view({2, 5, 1, 2});

  const torch::Tensor shaped = ash_s(map).flatten(1);

  expect_scores(shaped.sum(1), {10 * std::exp(5.5), std::exp(10.0)});
  expect_scores(shaped.gt(0).sum(1).to(torch::kFloat64), {1, 1});
}

TEST(Ash, KeepsOneActivationAtLeastAndStaysFinite)
{
  expect_scores(ash_s(one_to_four(), 1).flatten(), {0, 4 * std::exp(2.5), 0, 0});
  expect_scores(ash_s(torch::zeros({1, 1, 1, 2})).flatten(), {0, 0});
  EXPECT_TRUE(all_finite(ash_s(torch::full({1, 2000, 1, 1}, 3e38), 1)));
  EXPECT_EQ(message_of([] { ash_s(torch::ones({2, 2})); }), "feature map: expected [N, C, H, W]");
}

TEST(Ash, EnergyIsOfTheShapedMapsMean)
{
  // Mean of (0, 4, 3, 0) is 7/4; the logits are that times exp(10/7), and 1.
  const double logit = 7.0 / 4 * std::exp(10.0 / 7);

  expect_scores(
    ash_energy(one_to_four(), {matrix({{1}, {0}}), vector({0, 1})}, 0.5),
    {std::log(std::exp(logit) + std::exp(1.0))});
}

TEST(Scale, MultipliesAllActivations)
{
  // The largest half of 1 + 4 + 3 + 2 is 7; the logits are 10 exp(10/7), and 1.
  const LinearLayer layer{matrix({{1, 1, 1, 1}, {0, 0, 0, 0}}), vector({0, 1})};
  const double logit = 10 * std::exp(10.0 / 7);

  expect_scores(
    scale_energy(matrix({{1, 4, 3, 2}}), layer, 0.5), {logit + std::log1p(std::exp(1 - logit))});
}

TEST(Scale, LooksAtTheLargestFifteenPercent)
{
  // 1 to 20: the three largest are 57 of 210.
  const torch::Tensor features = torch::arange(1, 21, torch::kFloat64).unsqueeze(0);
  const LinearLayer layer{torch::ones({1, 20}), torch::zeros({1})};

  expect_scores(scale_energy(features, layer) / std::exp(210.0 / 57), {210});
}

TEST(Scale, StaysFiniteAndNamesWhatDoesNotFit)
{
  const LinearLayer layer{torch::ones({1, 2}), torch::zeros({1})};

  expect_scores(scale_energy(matrix({{0, 0}}), layer), {0});
  EXPECT_TRUE(all_finite(scale_energy(torch::full({1, 2}, 3e38), layer, 1)));
  EXPECT_EQ(
    message_of([&] {
      scale_energy(torch::ones({1, 3}), layer);
    }),
    "weight: expected [N, 3], not [1, 2]");
  EXPECT_EQ(
    message_of([&] {
      scale_energy(torch::ones({1, 2}), layer, 85);
    }),
    "percentile: must be within 0 and 1");
}

TEST(PrecisionRecall, IsTheMeanPrecisionAtEachPositive)
{
  // By falling score: in, out, in. Precisions at the two positives 1 and 2/3; at the one OoD image,
  // from below, 1/2.
  EXPECT_NEAR(aupr_in({3, 1}, {2}), 5.0 / 6, kTolerance);
  EXPECT_NEAR(aupr_out({3, 1}, {2}), 0.5, kTolerance);
}

TEST(PrecisionRecall, SeparatedScoresGiveOneAndReversedOnesTheWorst)
{
  EXPECT_EQ(aupr_in({3, 4}, {1, 2}), 1);
  EXPECT_EQ(aupr_out({3, 4}, {1, 2}), 1);
  // Precisions 1/3 and 2/4.
  EXPECT_NEAR(aupr_in({1, 2}, {3, 4}), 5.0 / 12, kTolerance);
}

TEST(PrecisionRecall, EqualScoresAreOneThreshold)
{
  EXPECT_NEAR(aupr_in({1, 1, 1}, {1}), 0.75, kTolerance);
  EXPECT_NEAR(aupr_out({1, 1, 1}, {1}), 0.25, kTolerance);
  // At 2: 1 of 2; at 1: 2 of 3.
  EXPECT_NEAR(aupr_in({2, 1}, {2}), 0.5 * (1.0 / 2 + 2.0 / 3), kTolerance);
}

TEST(PrecisionRecall, AnEmptySideIsAnError)
{
  EXPECT_THROW(aupr_in({}, {1}), Error);
  EXPECT_THROW(aupr_in({1}, {}), Error);
  EXPECT_THROW(aupr_out({1}, {}), Error);
}

void expect_point(const RiskPoint & point, double threshold, double coverage, double accuracy)
{
  EXPECT_EQ(point.threshold, threshold);
  EXPECT_NEAR(point.coverage, coverage, kTolerance);
  EXPECT_NEAR(point.accuracy, accuracy, kTolerance);
}

TEST(RiskCoverage, IsTheAccuracyAmongTheHighestScores)
{
  const std::vector<double> score = {0.6, 0.9, 0.7, 0.8};
  const std::vector<bool> right = {true, true, true, false};

  const auto curve = risk_coverage(score, right);

  ASSERT_EQ(curve.size(), 4u);
  expect_point(curve[0], 0.9, 0.25, 1);
  expect_point(curve[1], 0.8, 0.5, 0.5);
  expect_point(curve[2], 0.7, 0.75, 2.0 / 3);
  expect_point(curve[3], 0.6, 1, 0.75);
  EXPECT_NEAR(
    area_under_risk_coverage(score, right), (0 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4) / 4, kTolerance);
}

TEST(RiskCoverage, EqualScoresAreAnsweredTogether)
{
  const std::vector<double> score = {0.9, 0.1, 0.9};
  const std::vector<bool> right = {true, true, false};

  const auto curve = risk_coverage(score, right);

  ASSERT_EQ(curve.size(), 2u);
  expect_point(curve[0], 0.9, 2.0 / 3, 0.5);
  expect_point(curve[1], 0.1, 1, 2.0 / 3);
  // Two images with a risk of 1/2, one with 1/3.
  EXPECT_NEAR(area_under_risk_coverage(score, right), (2 * 0.5 + 1.0 / 3) / 3, kTolerance);
}

TEST(RiskCoverage, HasAsManyPointsAsAskedFor)
{
  std::vector<double> score(1000);
  for (std::size_t i = 0; i < score.size(); ++i) {
    score[i] = static_cast<double>(i);
  }
  const std::vector<bool> right(1000, true);

  const auto curve = risk_coverage(score, right, 11);

  // One image, then 100, 200, ... 1000.
  ASSERT_EQ(curve.size(), 11u);
  expect_point(curve[0], 999, 0.001, 1);
  expect_point(curve[7], 300, 0.7, 1);
  expect_point(curve[10], 0, 1, 1);
  EXPECT_EQ(area_under_risk_coverage(score, right), 0);
}

TEST(RiskCoverage, OfOneImageIsOnePoint)
{
  const auto curve = risk_coverage({-2}, {false});

  ASSERT_EQ(curve.size(), 1u);
  expect_point(curve[0], -2, 1, 0);
  EXPECT_EQ(area_under_risk_coverage({-2}, {false}), 1);
}

TEST(RiskCoverage, InputsThatDoNotFitAreErrors)
{
  EXPECT_THROW(risk_coverage({}, {}), Error);
  EXPECT_THROW(area_under_risk_coverage({1, 2}, {true}), Error);
  EXPECT_THROW(risk_coverage({1}, {true}, 1), ConfigError);
}

/// Four images of class 0, 0, 1, 1; there is no image of class 2. Images 0 and 2 are recognised, in
/// image 1 the true class comes second, in image 3 last.
class RecognitionOfFourImages : public ::testing::Test
{
protected:
  const torch::Tensor log_posterior =
    matrix({{0.9, 0.06, 0.04}, {0.3, 0.62, 0.08}, {0.05, 0.9, 0.05}, {0.7, 0.1, 0.2}}).log();
  const torch::Tensor truth = labels({0, 0, 1, 1});
};

TEST_F(RecognitionOfFourImages, TopKCountsTheKMostProbableClasses)
{
  EXPECT_EQ(top_k_accuracy(log_posterior, truth), 0.5);
  EXPECT_EQ(top_k_accuracy(log_posterior, truth, 2), 0.75);
  EXPECT_EQ(top_k_accuracy(log_posterior, truth, 3), 1);
  EXPECT_EQ(top_k_accuracy(log_posterior, truth, 99), 1);
  EXPECT_THROW(top_k_accuracy(log_posterior, truth, 0), ConfigError);
}

TEST_F(RecognitionOfFourImages, AClassWithoutImagesHasNoAccuracy)
{
  const auto accuracy = class_accuracy(log_posterior, labels({0, 1, 1, 1}));

  ASSERT_EQ(accuracy.size(), 3u);
  EXPECT_EQ(accuracy[0], 1);
  EXPECT_NEAR(*accuracy[1], 2.0 / 3, kTolerance);
  EXPECT_FALSE(accuracy[2]);
}

TEST_F(RecognitionOfFourImages, ConfusionCountsAnswersByTrueClass)
{
  EXPECT_EQ(
    confusion(log_posterior, truth),
    (std::vector<std::vector<std::int64_t>>{{1, 1, 0}, {1, 1, 0}, {0, 0, 0}}));
}

TEST_F(RecognitionOfFourImages, CrossEntropyIsTheMeanOfTheTrueClasses)
{
  EXPECT_NEAR(
    cross_entropy(log_posterior, truth), -std::log(0.9 * 0.3 * 0.9 * 0.1) / 4, kTolerance);
}

TEST_F(RecognitionOfFourImages, CalibrationErrorIsTheMeanGapOfTheBins)
{
  // Confidences 0.9 and 0.9, both right: gap 0.1. 0.62 and 0.7, both wrong, have their own bins.
  EXPECT_NEAR(
    expected_calibration_error(log_posterior, truth), (2 * 0.1 + 0.62 + 0.7) / 4, kTolerance);
  // With image 2 wrong its bin has accuracy 1/2 against 0.9.
  EXPECT_NEAR(
    expected_calibration_error(log_posterior, labels({0, 0, 0, 1})), (2 * 0.4 + 0.62 + 0.7) / 4,
    kTolerance);
}

TEST_F(RecognitionOfFourImages, InputsThatDoNotFitAreErrors)
{
  EXPECT_EQ(
    message_of([&] {
      cross_entropy(log_posterior, labels({0, 0, 1, 3}));
    }),
    "labels: expected class numbers, not 3");
  EXPECT_THROW(top_k_accuracy(log_posterior, labels({0})), Error);
  EXPECT_THROW(class_accuracy(torch::zeros({0, 3}), labels({})), Error);
}

TEST(Prediction, OfEquallyProbableClassesTheFirstIsTheAnswer)
{
  const torch::Tensor equal = matrix({{0.5, 0.5}}).log();

  EXPECT_EQ(top_k_accuracy(equal, labels({0})), 1);
  EXPECT_EQ(top_k_accuracy(equal, labels({1})), 0);
  EXPECT_EQ(top_k_accuracy(equal, labels({1}), 2), 1);
}

TEST(Prediction, WhatIsNotANumberIsNeverRight)
{
  const torch::Tensor broken = matrix({{NAN, NAN}, {0, NAN}});

  EXPECT_EQ(top_k_accuracy(broken, labels({0, 0})), 0);
  EXPECT_EQ(top_k_accuracy(broken, labels({1, 1})), 0);
}

TEST(Prediction, ACertainAnswerIsInTheLastBinAndCalibratedWhenRight)
{
  const torch::Tensor certain = matrix({{0, -1000}});

  EXPECT_EQ(expected_calibration_error(certain, labels({0})), 0);
  EXPECT_EQ(expected_calibration_error(certain, labels({1})), 1);
  EXPECT_EQ(cross_entropy(certain, labels({1})), 1000);
}

TEST(Odin, StepsUpItsOwnGradientAndAsksAgain)
{
  // Logits x and 0 of images of one number x. The largest posterior grows with |x|: a step of 0.5
  // makes 1 to 1.5 and -1 to -1.5.
  const torch::Tensor images = torch::tensor({1.0f, -1.0f}).view({2, 1, 1, 1});
  const auto logits = [](const torch::Tensor & x) {
    return torch::cat({x.flatten(1), torch::zeros({x.size(0), 1})}, 1);
  };

  const torch::Tensor score = odin(images, logits, /*temperature=*/2, /*step=*/0.5);

  const double expected = 1 / (1 + std::exp(-1.5 / 2));
  EXPECT_NEAR(score[0].item<double>(), expected, 1e-6);
  EXPECT_NEAR(score[1].item<double>(), expected, 1e-6);
}

TEST(Prediction, OfOneClassIsPerfect)
{
  const torch::Tensor only = matrix({{0}});

  EXPECT_EQ(top_k_accuracy(only, labels({0})), 1);
  EXPECT_EQ(cross_entropy(only, labels({0})), 0);
  EXPECT_EQ(expected_calibration_error(only, labels({0})), 0);
}

}  // namespace
}  // namespace mgproto
