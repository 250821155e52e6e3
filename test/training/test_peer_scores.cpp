// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The OoD scores of training/measure/peer_scores.hpp on numbers worked out by hand, ConjNorm's by
// another program. Nothing here trains or runs a network.

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <functional>

#include "training/measure/peer_scores.hpp"
#include "training/score_inputs.hpp"

namespace mgproto
{
namespace
{

ImageOutputs with_logits(ImageOutputs images, const Rows & logits)
{
  images.logits = matrix(logits);
  return images;
}

TEST(ConjNormScore, IsTheLogDensityOfAMixtureOfTheClasses)
{
  // From a few lines of Python with the divergence written out: half the squared 11/6-norms of z and
  // m, and the gradient at m; z and m divided by their 2.2-norms, over 0.05; each class's term divided
  // by its sum over the four training images.
  const OodScore score =
    conjnorm(images_with({{3, 1, 0}, {2, 0, 1}, {0, 2, 2}, {1, 4, 0}}, {0, 0, 1, 1}));

  expect_scores(
    score(images_with({{2, 1, 0}, {0, 0, 5}, {0, 0, 0}})),
    {-1.0208781813837469, -12.085739078863394, -9.41615612680242});
}

TEST(ConjNormScore, LengthsDoNotCount)
{
  const OodScore score = conjnorm(images_with({{3, 1}, {1, 2}}, {0, 7}));

  const torch::Tensor scores = score(images_with({{1, 4}, {100, 400}}));

  EXPECT_NEAR(scores[0].item<double>(), scores[1].item<double>(), kTolerance);
}

TEST(NecoScore, IsTheShareOfTheLengthInThePrincipalSpace)
{
  // Means 10, 20, 7, deviations 2, 5 and none. In deviations the images are (1, 1, 0) and (-1, -1, 0),
  // so that (1, 1, 0) is principal. (16, 40, 7) is (3, 4, 0): 7 / sqrt 2 of 5.
  const OodScore score = neco(images_with({{12, 25, 7}, {8, 15, 7}}, {0, 1}));

  expect_scores(
    score(images_with({{16, 40, 7}, {12, 15, 7}, {10, 20, 9}, {10, 20, 7}})),
    {7 / (5 * std::sqrt(2.0)), 0, 0, 0});
}

TEST(NecoScore, ThePrincipalSpaceHasADimensionLessThanThereAreClasses)
{
  // Correlation 0.6: (1, 1) is principal before (1, -1).
  const Rows features = {{3, 1}, {1, 3}, {-3, -1}, {-1, -3}};
  const ImageOutputs across = images_with({{1, -1}});

  expect_scores(neco(images_with(features, {0, 0, 0, 0}))(across), {0});
  expect_scores(neco(images_with(features, {0, 0, 1, 1}))(across), {0});
  expect_scores(neco(images_with(features, {0, 5, 1, 1}))(across), {1});
}

TEST(NecoScore, OfASingleTrainingImageIsZeroEverywhere)
{
  expect_scores(neco(images_with({{1, 2}}, {0}))(images_with({{1, 2}, {9, 9}})), {0, 0});
}

TEST(NnGuideScore, IsTheEnergyTimesTheLargestGuidance)
{
  // Energies 10, 5, 1; (3, 4) has the cosines 0.6, 0.8, -0.6 to the images and is guided by 6, 4 and
  // -0.6. One neighbour, since a class has one or two images.
  const ImageOutputs training =
    with_logits(images_with({{1, 0}, {0, 2}, {-3, 0}}, {0, 0, 1}), {{10}, {5}, {1}});

  expect_scores(nnguide(training)(with_logits(images_with({{3, 4}}), {{3}})), {18});
}

TEST(NnGuideScore, TakesTheMeanOfSeveralNeighbours)
{
  // Four images of one class: two neighbours, 6 and 4.
  const ImageOutputs training = with_logits(
    images_with({{1, 0}, {0, 2}, {-3, 0}, {0, -1}}, {0, 0, 0, 0}), {{10}, {5}, {1}, {1}});

  expect_scores(nnguide(training)(with_logits(images_with({{3, 4}, {0, 0}}), {{3}, {3}})), {15, 0});
}

TEST(NnGuideScore, OfLogDensitiesIsTheLogarithmOfConfidences)
{
  // Energies -10 and -14, deviation 2: confidences 1 and exp(-2), guidance 0.6 before 0.8 exp(-2).
  // -13 is 1.5 deviations below the highest.
  const ImageOutputs training = with_logits(images_with({{1, 0}, {0, 2}}, {0, 0}), {{-10}, {-14}});

  expect_scores(
    nnguide_of_log_densities(training)(
      with_logits(images_with({{3, 4}, {3, 4}, {0, 0}}), {{-13}, {-8}, {-10}})),
    {std::log(0.6) - 1.5, std::log(0.6) + 1, std::log(1e-12)});
}

TEST(NnGuideScore, OfEqualLogDensitiesHasADeviationOfOne)
{
  const ImageOutputs training = with_logits(images_with({{1, 0}, {1, 0}}, {0, 0}), {{-7}, {-7}});

  expect_scores(
    nnguide_of_log_densities(training)(with_logits(images_with({{2, 0}}), {{-9}})), {-2});
}

// Their mean is (0, 0).
const ImageOutputs about_zero = images_with({{1, 0}, {-1, 0}}, {0, 1});

TEST(FdbdScore, IsTheMeanDistanceToTheBoundariesOverThatToTheMean)
{
  // Boundaries to the others are 10 / 5 and 6 / 3 away; (3, 4) is 5 from the mean.
  const LinearLayer layer{matrix({{3, 0}, {0, 4}, {0, 0}}), vector({0, 0, 0})};

  expect_scores(
    fdbd(about_zero, layer)(with_logits(images_with({{3, 4}}), {{10, 0, 4}})), {2.0 / 5});
}

TEST(FdbdScore, ClassesWithEqualWeightsHaveNoBoundary)
{
  // 0 to the first class, 4 to the last.
  const LinearLayer layer{matrix({{1, 0}, {1, 0}, {0, 0}}), vector({0, 3, 0})};

  expect_scores(
    fdbd(about_zero, layer)(with_logits(images_with({{0, 2}}), {{2, 5, 1}})), {2.0 / 2});
}

TEST(FdbdScore, IsFiniteAtTheMeanAndForOneClass)
{
  const LinearLayer two{matrix({{1, 0}, {0, 1}}), vector({0, 0})};
  const LinearLayer one{matrix({{1, 0}}), vector({0})};

  EXPECT_TRUE(
    all_finite(fdbd(about_zero, two)(with_logits(images_with({{0, 0}}), {{3e38, -3e38}}))));
  expect_scores(fdbd(about_zero, one)(with_logits(images_with({{1, 1}}), {{3}})), {0});
}

TEST(NciScore, IsTheProximityToTheWeightsPlusTheActivations)
{
  // (3, 0) . (3, 4) / 5, and 7 activations; at the mean neither.
  const LinearLayer layer{matrix({{3, 0}, {0, 4}}), vector({0, 0})};

  expect_scores(
    nci(about_zero, layer)(with_logits(images_with({{3, 4}, {0, 0}}), {{2, 1}, {2, 1}})),
    {9.0 / 5 + 7e-4, 0});
}

/// Two clouds of 40 images about (8, 0, 0, 0) and (0, 8, 0, 0), deviation 1, and the layer that reads
/// the class off them.
class FittedPeers : public ::testing::Test
{
protected:
  void SetUp() override
  {
    torch::manual_seed(1);
    const torch::Tensor classes = torch::arange(80).remainder(2);
    const torch::Tensor centres = 8 * torch::eye(2, 4).index_select(0, classes);
    training = outputs_of(centres + torch::randn({80, 4}));
    training.labels = classes;
    near = outputs_of(centres.slice(0, 0, 20) + torch::randn({20, 4}));
    far = outputs_of(torch::tensor({{0.0f, 0.0f, 40.0f, 60.0f}}));
  }

  static ImageOutputs outputs_of(const torch::Tensor & features)
  {
    return {features.slice(1, 0, 2), features, {}};
  }

  const LinearLayer layer{torch::eye(2, 4), torch::zeros({2})};

  /// Every way to fit a score.
  const std::vector<std::function<OodScore(const ImageOutputs &)>> fits{
    conjnorm,
    neco,
    nnguide,
    nnguide_of_log_densities,
    [this](const ImageOutputs & images) { return fdbd(images, layer); },
    [this](const ImageOutputs & images) { return nci(images, layer); }};

  ImageOutputs training, near, far;
};

TEST_F(FittedPeers, AFarImageScoresBelowAllNearOnes)
{
  expect_far_below_near(fits, training, near, far);
}

TEST_F(FittedPeers, NameInputsThatDoNotFit) { expect_misfits_named(fits, training, near); }

TEST_F(FittedPeers, NameLabelsLogitsAndLayersThatDoNotFit)
{
  const LinearLayer narrow{torch::zeros({2, 3}), torch::zeros({2})};
  EXPECT_EQ(message_of([&] { fdbd(training, narrow); }), "weight: expected [N, 4], not [2, 3]");
  EXPECT_EQ(message_of([&] { nci(training, narrow); }), "weight: expected [N, 4], not [2, 3]");
  near.logits = torch::zeros({20, 5});
  EXPECT_EQ(
    message_of([&] { fdbd(training, layer)(near); }), "logits: expected [N, 2], not [20, 5]");
  near.logits = torch::zeros({3, 2});
  EXPECT_EQ(
    message_of([&] { nnguide(training)(near); }), "logits: expected as many rows as features");
  training.labels = torch::full({80}, -1, torch::kInt64);
  for (const auto & fit : {conjnorm, neco, nnguide, nnguide_of_log_densities}) {
    EXPECT_EQ(message_of([&] { fit(training); }), "labels: expected class numbers, not -1");
  }
}

TEST_F(FittedPeers, AreFiniteForFeaturesAtTheLimitsOfFloat32)
{
  const ImageOutputs huge = outputs_of(torch::tensor({{3e38f, -3e38f, 3e38f, -3e38f}}));
  const ImageOutputs zero = outputs_of(torch::zeros({1, 4}));
  for (const double scale : {1.0, 1e-37, 1e36}) {
    ImageOutputs scaled = outputs_of(training.features * scale);
    scaled.labels = training.labels;
    for (std::size_t i = 0; i < fits.size(); ++i) {
      const OodScore score = fits[i](scaled);
      EXPECT_TRUE(all_finite(score(huge))) << i << " " << scale;
      EXPECT_TRUE(all_finite(score(zero))) << i << " " << scale;
    }
  }
}

TEST_F(FittedPeers, ManyImagesKeepTheirOrder)
{
  for (const auto & fit : fits) {
    const OodScore score = fit(training);
    const torch::Tensor last = score(outputs_of(training.features.slice(0, 70)));
    EXPECT_TRUE(torch::allclose(score(training).slice(0, 70), last));
  }
}

}  // namespace
}  // namespace mgproto
