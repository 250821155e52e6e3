// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The head against the MGProto authors' numbers (golden/a_head.json; tolerances about ten times
// their float32 against float64), and what they do not cover: unequal classes, any map, extremes.

#include <gtest/gtest.h>

#include <cmath>

#include "golden.hpp"
#include "mgproto_ros/error.hpp"
#include "model/heads/gaussian_head.hpp"

namespace mgproto
{
namespace
{

using test::JsonCase;
using test::largest_difference;

HeadConfig head_config(int dim, double concentration = 1)
{
  HeadConfig config;
  config.feature_dim = dim;
  config.concentration = concentration;
  return config;
}

class GoldenHead : public ::testing::Test
{
protected:
  JsonCase golden{"a_head.json"};
  std::int64_t B = golden.meta()["B"], C = golden.meta()["C"], M = golden.meta()["M"],
               D = golden.meta()["D"], T = golden.meta()["T"],
               P = golden.meta()["H"].get<std::int64_t>() * golden.meta()["W"].get<std::int64_t>();
  GaussianHead head{
    golden.input("means").view({C * M, D}),
    golden.input("pi").view({C * M}),
    {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3},
    head_config(8)};
  torch::Tensor features = unit_vectors(golden.input("F"));
};

TEST_F(GoldenHead, NormalisesFeatures)
{
  EXPECT_LT(largest_difference(features, golden.output("F_l2")), 1e-6);
}

TEST_F(GoldenHead, LogLikelihoodsAreTheAuthors)
{
  const torch::Tensor maps = head.log_likelihood_maps(features);

  EXPECT_LT(largest_difference(maps, golden.output("loglik").view({B, C * M, P})), 2e-5);
}

TEST_F(GoldenHead, TopLevelsAndTheirPositionsAreTheAuthors)
{
  const auto [values, positions] = top_levels(head.log_likelihood_maps(features), T);

  EXPECT_LT(largest_difference(values.exp(), golden.output("topT_act").view({B, C * M, T})), 2e-5);
  EXPECT_TRUE(positions.equal(golden.output("topT_index", torch::kInt64).view({B, C * M, T})));
}

TEST_F(GoldenHead, LogitsOfEveryLevelAreTheAuthors)
{
  const torch::Tensor levels = top_levels(head.log_likelihood_maps(features), T).first;
  const torch::Tensor expected = golden.output("logits_nolabels");  // [B, C, T]

  for (std::int64_t t = 0; t < T; ++t) {
    const torch::Tensor logits = head.log_class_density(levels.select(2, t));
    EXPECT_LT(largest_difference(logits, expected.select(2, t)), 1e-5) << "level " << t;
  }
}

TEST_F(GoldenHead, DensitiesAndPosteriorAreTheAuthors)
{
  const Densities densities = head.forward(features);

  EXPECT_LT(largest_difference(densities.log_class_density.exp(), golden.output("pxc")), 1e-5);
  EXPECT_LT(largest_difference(densities.log_posterior.exp(), golden.output("posterior")), 1e-5);
  // With p(c) = 1/C the density is the authors' mean over classes.
  EXPECT_LT(largest_difference(densities.log_density.exp(), golden.output("px_mean")), 1e-5);
  EXPECT_TRUE(densities.position.equal(
    golden.output("topT_index", torch::kInt64).view({B, C * M, T}).select(2, 0)));
}

TEST(GaussianHead, ClassesOfDifferentSizesEqualTheSumByHand)
{
  torch::manual_seed(1);
  const torch::Tensor means = unit_vectors(torch::randn({6, 5}));
  const torch::Tensor priors = torch::tensor({1.0f, 0.2f, 0.3f, 0.5f, 0.4f, 0.1f});
  const std::vector<int> classes{0, 1, 1, 1, 2, 2};
  const GaussianHead head(means, priors, classes, head_config(5));
  const torch::Tensor features = unit_vectors(torch::randn({2, 5, 7}));  // 7 positions, a prime

  const Densities densities = head.forward(features);

  for (int b = 0; b < 2; ++b) {
    double density[3] = {0, 0, 0};
    for (int k = 0; k < 6; ++k) {
      double h = 0;
      for (int p = 0; p < 7; ++p) {
        const auto difference = features[b].select(1, p) - means[k];
        h = std::max(h, std::exp(-M_PI * difference.square().sum().item<double>()));
      }
      density[classes[k]] += priors[k].item<double>() * h;
    }
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(densities.log_class_density[b][c].item<double>(), std::log(density[c]), 1e-5);
    }
    EXPECT_NEAR(
      densities.log_density[b].item<double>(), std::log((density[0] + density[1] + density[2]) / 3),
      1e-5);
  }
}

TEST(GaussianHead, EstimatedClassPriorsEnterPosteriorAndDensity)
{
  GaussianHead head(torch::eye(2), torch::ones({2}), {0, 1}, head_config(2));
  head.class_priors.copy_(torch::tensor({0.9, 0.1}));
  const torch::Tensor between = unit_vectors(torch::ones({1, 2, 1}));  // as far from either mean

  const Densities densities = head.forward(between);

  EXPECT_NEAR(densities.log_posterior[0][0].exp().item<double>(), 0.9, 1e-6);
  EXPECT_NEAR(
    densities.log_density[0].item<double>(), densities.log_class_density[0][0].item<double>(),
    1e-6);
}

TEST(GaussianHead, ConcentrationScalesTheLogLikelihood)
{
  torch::manual_seed(2);
  const torch::Tensor means = torch::randn({4, 3});
  const torch::Tensor features = unit_vectors(torch::randn({1, 3, 5}));
  const GaussianHead paper(means, torch::full({4}, 0.5), {0, 0, 1, 1}, head_config(3, 1));
  const GaussianHead sharp(means, torch::full({4}, 0.5), {0, 0, 1, 1}, head_config(3, 8));

  EXPECT_LT(
    largest_difference(
      sharp.log_likelihood_maps(features), paper.log_likelihood_maps(features) * 8),
    1e-4);
}

TEST(GaussianHead, MapsOfChosenPrototypesAreRowsOfAllMaps)
{
  torch::manual_seed(3);
  const GaussianHead head(3, 4, head_config(6));
  const torch::Tensor features = unit_vectors(torch::randn({2, 6, 3, 5}));

  const torch::Tensor chosen = torch::tensor({7, 2}, torch::kInt64);
  EXPECT_LT(
    largest_difference(
      head.log_likelihood_maps(features, chosen),
      head.log_likelihood_maps(features).index_select(1, chosen)),
    1e-5);
}

TEST(GaussianHead, IsFiniteForExtremeFeaturesAndMeans)
{
  // Means pushed far off the sphere, a sharp mixture, a feature of length 0 and one beside it.
  const torch::Tensor means = torch::tensor({{100.0f, 0.0f}, {0.0f, -100.0f}});
  const GaussianHead head(means, torch::ones({2}), {0, 1}, head_config(2, 64));
  const torch::Tensor features =
    unit_vectors(torch::tensor({0.0f, 1e-30f, 0.0f, 1.0f}).view({1, 2, 2}));

  const Densities densities = head.forward(features);

  for (const auto & tensor :
       {densities.log_class_density, densities.log_posterior, densities.log_density}) {
    EXPECT_TRUE(torch::isfinite(tensor).all().item<bool>());
  }
  EXPECT_LT(densities.log_density.item<float>(), -1e5);  // and log space kept it
}

TEST(GaussianHead, ALikelihoodNeverExceedsOne)
{
  torch::manual_seed(4);
  const torch::Tensor features = unit_vectors(torch::randn({1, 64, 50}));
  const torch::Tensor means = features[0].t().contiguous();  // every feature is a prototype
  const GaussianHead head(
    means, torch::full({50}, 1.0 / 50), std::vector<int>(50, 0), head_config(64, 32));

  const Densities densities = head.forward(features);

  EXPECT_LE(densities.log_likelihood.max().item<float>(), 0.0f);
  EXPECT_GT(densities.log_likelihood.min().item<float>(), -1e-3f);
}

TEST(GaussianHead, RefusesAClassWithoutPrototypes)
{
  EXPECT_ANY_THROW(GaussianHead(torch::eye(2), torch::ones({2}), {0, 2}, head_config(2)));
  EXPECT_ANY_THROW(GaussianHead(torch::eye(2), torch::ones({2}), {1, 0}, head_config(2)));
}

/// log h of two classes with two and one prototypes: [1, 3].
GaussianHead two_and_one(const HeadConfig & config)
{
  return GaussianHead(torch::eye(3, 4), torch::tensor({0.25f, 0.75f, 1.0f}), {0, 0, 1}, config);
}

TEST(Product, WeighsEveryPrototypesLogLikelihood)
{
  HeadConfig config = head_config(4);
  config.combine = HeadConfig::Combine::product;
  const torch::Tensor log_h = torch::tensor({{-1.0f, -8.0f, -2.0f}});

  const torch::Tensor density = two_and_one(config).log_class_density(log_h);

  EXPECT_LT(largest_difference(density, torch::tensor({{-0.25f - 6.0f, -2.0f}})), 1e-6);
  // A mixture is content with the one that fits.
  const torch::Tensor mixture = two_and_one(head_config(4)).log_class_density(log_h);
  EXPECT_NEAR(
    mixture[0][0].item<float>(), std::log(0.25 * std::exp(-1) + 0.75 * std::exp(-8)), 1e-5);
}

TEST(Product, ContributionsAreWhatIsAddedToNothing)
{
  HeadConfig config = head_config(4, /*concentration=*/2);
  config.combine = HeadConfig::Combine::product;
  const GaussianHead head = two_and_one(config);
  const torch::Tensor log_h = torch::tensor({{-1.0f, -8.0f, -2.0f}});

  const torch::Tensor shares = head.contributions(log_h)[0];

  // log p(x|c) = -2 pi kappa + what the prototypes add.
  const double nothing = -2 * M_PI * 2;
  const double all = head.log_class_density(log_h)[0][0].item<double>() - nothing;
  EXPECT_NEAR(shares[0].item<double>() * all, 0.25 * (-1 - nothing), 1e-4);
  EXPECT_NEAR(shares[1].item<double>() * all, 0.75 * (-8 - nothing), 1e-4);
  EXPECT_NEAR(shares[2].item<double>(), 1, 1e-6);
  // Nothing found at all: no share, and no number that is not finite.
  EXPECT_TRUE(torch::equal(head.contributions(torch::full({1, 3}, -100.0f)), torch::zeros({1, 3})));
}

TEST(Product, DoesNotGrowWhenPrototypesArePruned)
{
  HeadConfig config = head_config(4);
  config.combine = HeadConfig::Combine::product;
  const GaussianHead pruned(torch::eye(2, 4), torch::tensor({0.1f, 1.0f}), {0, 1}, config);

  const torch::Tensor density = pruned.log_class_density(torch::tensor({{-3.0f, -2.0f}}));

  EXPECT_LT(largest_difference(density, torch::tensor({{-3.0f, -2.0f}})), 1e-6);
}

TEST(Whole, IsOneMoreGaussianOfItsClass)
{
  HeadConfig config = head_config(4, /*concentration=*/2);
  config.combine = HeadConfig::Combine::product;
  config.whole = 0.4;
  config.whole_dim = 2;
  GaussianHead head = two_and_one(config);
  head.wholes.copy_(torch::tensor({{1.0f, 0.0f}, {0.0f, 1.0f}}));
  const torch::Tensor features = unit_vectors(torch::randn({1, 4, 3}));
  const torch::Tensor whole = torch::tensor({{0.6f, 0.8f}});

  const Densities densities = head.forward(features, whole);

  // -pi kappa |u - q|^2 with |u - q|^2 = 2 - 2 u.q
  const double to_first = -M_PI * 2 * (2 - 2 * 0.6);
  const torch::Tensor log_h = head.log_likelihood_maps(features).amax(2)[0];
  EXPECT_EQ(densities.log_likelihood.size(1), 5);
  EXPECT_NEAR(densities.log_likelihood[0][3].item<double>(), to_first, 1e-5);
  EXPECT_NEAR(
    densities.log_class_density[0][0].item<double>(),
    0.6 * (0.25 * log_h[0].item<double>() + 0.75 * log_h[1].item<double>()) + 0.4 * to_first, 1e-4);
  EXPECT_TRUE(torch::equal(
    head.logits(features, whole), densities.log_class_density + head.class_priors.log()));
  const torch::Tensor shares = head.contributions(densities.log_likelihood)[0];
  EXPECT_NEAR((shares[0] + shares[1] + shares[3]).item<double>(), 1, 1e-6);
  EXPECT_NEAR((shares[2] + shares[4]).item<double>(), 1, 1e-6);
}

/// Two classes that were there, and a taught one that lies half along a direction of its own.
GaussianHead with_a_taught_class()
{
  HeadConfig config = head_config(4, /*concentration=*/2);
  config.combine = HeadConfig::Combine::product;
  config.whole = 0.4;
  config.whole_dim = 2;
  config.taught = 1;
  GaussianHead head(3, 1, config);
  head.wholes.copy_(torch::tensor({{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.6f, 0.0f, 0.8f}}));
  return head;
}

TEST(Whole, OfATaughtClassChangesTheOthersOnlyWhereItWins)
{
  const GaussianHead head = with_a_taught_class();
  const torch::Tensor features = unit_vectors(torch::randn({1, 4, 3}));
  const auto wholes = [&](float x, float y, float own) {
    return head.forward(features, torch::tensor({{x, y, own}})).log_likelihood[0].slice(0, 3);
  };
  const double scale = 2 * M_PI * 2;

  const torch::Tensor loses = wholes(0.8f, 0.6f, 0.1f);  // 0.8 before, 0.48 + 0.08
  EXPECT_NEAR(loses[0].item<double>(), scale * (0.8 - 1), 1e-5);
  EXPECT_NEAR(loses[2].item<double>(), scale * (0.56 - 1), 1e-5);

  const torch::Tensor wins = wholes(0.8f, 0.6f, 1.0f);  // 0.8 before, 0.48 + 0.8
  const double length = std::sqrt(2.0);
  EXPECT_NEAR(wins[0].item<double>(), scale * (0.8 / length - 1), 1e-5);
  EXPECT_NEAR(wins[1].item<double>(), scale * (0.6 / length - 1), 1e-5);
  EXPECT_NEAR(wins[2].item<double>(), scale * (1.28 / length - 1), 1e-5);

  EXPECT_LE(wholes(1.0f, 0.0f, 1000.0f).max().item<double>(), 0) << "a likelihood is at most 1";
}

TEST(Whole, MustBeGivenToAHeadThatLooksAtIt)
{
  HeadConfig config = head_config(4);
  config.whole = 0.5;
  config.whole_dim = 4;
  EXPECT_THROW(two_and_one(config).forward(torch::zeros({1, 4, 3})), Error);
}

}  // namespace
}  // namespace mgproto
