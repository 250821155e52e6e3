// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The losses and their gradients against the MGProto authors' numbers (golden/a_head.json; losses
// within 1e-5, gradients within 5e-6 of the largest entry), and against sums by hand where the
// authors' code fails: two classes, one prototype, few positions. Then p(c), and extremes.

#include <gtest/gtest.h>

#include <cmath>

#include "golden.hpp"
#include "mgproto_ros/error.hpp"
#include "training/learn/losses.hpp"

namespace mgproto
{
namespace
{

using test::JsonCase;
using test::relative_difference;

HeadConfig head_config(int dim, double concentration = 1)
{
  HeadConfig config;
  config.feature_dim = dim;
  config.concentration = concentration;
  return config;
}

bool finite(const torch::Tensor & tensor) { return torch::isfinite(tensor).all().item<bool>(); }

torch::Tensor labels_of(const std::vector<std::int64_t> & labels)
{
  return torch::tensor(labels, torch::kInt64);
}

class GoldenLosses : public ::testing::Test
{
protected:
  JsonCase golden{"a_head.json"};
  std::int64_t C = golden.meta()["C"], M = golden.meta()["M"], D = golden.meta()["D"];
  GaussianHead head{
    golden.input("means").view({C * M, D}),
    golden.input("pi").view({C * M}),
    {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3},
    head_config(8)};
  torch::Tensor map = golden.input("F").requires_grad_();  // before the L2 normalisation
  torch::Tensor embeddings = golden.input("emb_raw").requires_grad_();
  torch::Tensor proxies = golden.input("proxies").requires_grad_();
  torch::Tensor labels = golden.input("labels", torch::kInt64);
  torch::Tensor features = unit_vectors(map);
  Densities densities = head.forward(features);
  LossConfig config = golden_config();

  LossConfig golden_config() const
  {
    LossConfig result;
    result.mining_levels = golden.meta()["T"];
    return result;  // weights, margin and alpha are the paper's
  }
  Losses losses() const
  {
    return network_losses(head, features, densities, embeddings, proxies, labels, config, true);
  }
  double expected(const char * name) const { return golden.output(name).item<double>(); }
};

TEST_F(GoldenLosses, ValuesAreTheAuthors)
{
  const Losses result = losses();

  EXPECT_NEAR(result.ce.item<double>(), expected("loss_ce"), 1e-5);
  EXPECT_NEAR(result.mining.item<double>(), expected("loss_mine"), 1e-5);
  EXPECT_NEAR(result.aux.item<double>(), expected("loss_aux"), 1e-5);
  EXPECT_NEAR(result.total.item<double>(), expected("loss_total"), 1e-5);
}

TEST_F(GoldenLosses, GradientsOfTheTotalAreTheAuthors)
{
  losses().total.backward();

  EXPECT_LT(relative_difference(map.grad(), golden.output("grad_total_F")), 5e-6);
  EXPECT_LT(relative_difference(embeddings.grad(), golden.output("grad_total_emb_raw")), 5e-6);
  EXPECT_LT(relative_difference(proxies.grad(), golden.output("grad_total_proxies")), 5e-6);
}

TEST_F(GoldenLosses, GradientOfTheCrossEntropyIsTheAuthors)
{
  losses().ce.backward();

  EXPECT_LT(relative_difference(map.grad(), golden.output("grad_ce_F")), 5e-6);
}

TEST_F(GoldenLosses, GradientOfTheMiningIsTheAuthors)
{
  losses().mining.backward();

  EXPECT_LT(relative_difference(map.grad(), golden.output("grad_mine_F")), 5e-6);
}

TEST_F(GoldenLosses, GradientsOfTheAuxiliaryLossAreTheAuthors)
{
  losses().aux.backward();

  EXPECT_LT(relative_difference(embeddings.grad(), golden.output("grad_aux_emb_raw")), 5e-6);
  EXPECT_LT(relative_difference(proxies.grad(), golden.output("grad_aux_proxies")), 5e-6);
}

TEST_F(GoldenLosses, PrototypesReceiveNoGradient)
{
  losses().total.backward();

  EXPECT_FALSE(head.means.requires_grad());
  EXPECT_FALSE(head.priors.requires_grad());
}

TEST_F(GoldenLosses, ATermThatIsOffIsLeftOutAndNeedsNoInput)
{
  config.aux_weight = 0;

  const Losses result =
    network_losses(head, features, densities, {}, {}, labels, config, /*with_mining=*/false);

  EXPECT_FALSE(result.mining.defined());
  EXPECT_FALSE(result.aux.defined());
  EXPECT_EQ(result.total.item<double>(), result.ce.item<double>());
}

/// L_mn written out: all levels of all prototypes, log p(x|c) p(c) of every class, cross-entropy.
double mining_by_hand(
  const GaussianHead & head, const torch::Tensor & features, const torch::Tensor & labels,
  std::int64_t levels)
{
  const torch::Tensor sorted = std::get<0>(head.log_likelihood_maps(features).sort(2, true));
  const torch::Tensor best = head.log_class_density(sorted.select(2, 0));
  double sum = 0;
  for (std::int64_t t = 1; t < levels; ++t) {
    const torch::Tensor level = head.log_class_density(sorted.select(2, t));
    torch::Tensor logits = best.clone();
    for (std::int64_t b = 0; b < labels.size(0); ++b) {
      const auto y = labels[b].item<std::int64_t>();
      logits[b][y] = level[b][y];
    }
    sum += torch::cross_entropy_loss(logits + head.class_priors.log(), labels).item<double>();
  }
  return sum / static_cast<double>(levels - 1);
}

struct MiningCase
{
  int classes, prototypes;
};

class Mining : public ::testing::TestWithParam<MiningCase>
{
};

TEST_P(Mining, EqualsTheSumByHandWithUnequalClassPriors)
{
  const auto [classes, prototypes] = GetParam();
  torch::manual_seed(1);
  GaussianHead head(classes, prototypes, head_config(6, /*concentration=*/3));
  head.class_priors.copy_(torch::softmax(torch::randn({classes}), 0));
  head.priors.copy_(torch::softmax(torch::randn({classes, prototypes}), 1).flatten());
  const torch::Tensor features = unit_vectors(torch::randn({5, 6, 3, 4}));
  const torch::Tensor labels = torch::randint(classes, {5}, torch::kInt64);

  const torch::Tensor loss =
    mining_loss(head, features, head.forward(features).log_likelihood, labels, 7);

  EXPECT_NEAR(loss.item<double>(), mining_by_hand(head, features, labels, 7), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(
  Sizes, Mining,
  ::testing::Values(MiningCase{4, 3}, MiningCase{2, 3}, MiningCase{4, 1}, MiningCase{2, 1}));

TEST(MiningLoss, LevelsAreClampedToThePositions)
{
  torch::manual_seed(2);
  const GaussianHead head(3, 2, head_config(4));
  const torch::Tensor features = unit_vectors(torch::randn({2, 4, 5}));
  const torch::Tensor labels = labels_of({2, 0});
  const Densities densities = head.forward(features);

  EXPECT_EQ(
    mining_loss(head, features, densities.log_likelihood, labels, 20).item<float>(),
    mining_loss(head, features, densities.log_likelihood, labels, 5).item<float>());
}

TEST(MiningLoss, IsZeroWithoutASecondPositionOrLevel)
{
  torch::manual_seed(3);
  const GaussianHead head(3, 2, head_config(4));
  const torch::Tensor labels = labels_of({2, 0});
  const torch::Tensor one_position = unit_vectors(torch::randn({2, 4, 1}));
  const torch::Tensor positions = unit_vectors(torch::randn({2, 4, 5}));

  EXPECT_EQ(
    mining_loss(head, one_position, head.forward(one_position).log_likelihood, labels, 20)
      .item<float>(),
    0);
  EXPECT_EQ(
    mining_loss(head, positions, head.forward(positions).log_likelihood, labels, 1).item<float>(),
    0);
}

TEST(MiningLoss, RefusesClassesOfDifferentSizes)
{
  const GaussianHead head(torch::eye(3), torch::full({3}, 0.5), {0, 0, 1}, head_config(3));
  const torch::Tensor features = unit_vectors(torch::randn({1, 3, 5}));

  EXPECT_THROW(
    mining_loss(head, features, head.forward(features).log_likelihood, labels_of({1}), 3), Error);
}

TEST(CrossEntropy, IsThatOfTheBayesPosterior)
{
  torch::manual_seed(4);
  GaussianHead head(3, 2, head_config(4));
  head.class_priors.copy_(torch::tensor({0.7, 0.2, 0.1}));
  const torch::Tensor features = unit_vectors(torch::randn({2, 4, 5}));
  const Densities densities = head.forward(features);

  const double loss = cross_entropy_loss(densities, labels_of({2, 0})).item<double>();

  const torch::Tensor joint = densities.log_class_density.exp() * head.class_priors;  // [B, C]
  const torch::Tensor posterior = joint / joint.sum(1, true);
  EXPECT_NEAR(
    loss,
    -(std::log(posterior[0][2].item<double>()) + std::log(posterior[1][0].item<double>())) / 2,
    1e-5);
}

TEST(ProxyAnchor, IsRightForTwoClasses)
{
  torch::manual_seed(5);
  const torch::Tensor embeddings = torch::randn({5, 8}), proxies = torch::randn({2, 8});
  const std::vector<std::int64_t> labels{0, 1, 1, 0, 1};

  const torch::Tensor loss = proxy_anchor_loss(embeddings, proxies, labels_of(labels), 0.1, 32);

  double expected = 0;
  for (int c = 0; c < 2; ++c) {
    double positive = 0, negative = 0;
    for (int b = 0; b < 5; ++b) {
      const double cosine = torch::cosine_similarity(embeddings[b], proxies[c], 0).item<double>();
      if (labels[b] == c) {
        positive += std::exp(-32 * (cosine - 0.1));
      } else {
        negative += std::exp(32 * (cosine + 0.1));
      }
    }
    expected += (std::log1p(positive) + std::log1p(negative)) / 2;
  }
  EXPECT_NEAR(loss.item<double>(), expected, 1e-4);
}

TEST(ProxyAnchor, PositiveTermIsAveragedOverTheClassesPresent)
{
  // One image on its proxy, orthogonal to all other proxies: positive term log(1 + e^(-32 * 0.9)),
  // negative term log(1 + e^3.2) for three of the four classes.
  const torch::Tensor loss =
    proxy_anchor_loss(torch::eye(4).slice(0, 0, 1), torch::eye(4), labels_of({0}), 0.1, 32);

  EXPECT_NEAR(
    loss.item<double>(), std::log1p(std::exp(-28.8)) + 0.75 * std::log1p(std::exp(3.2)), 1e-5);
}

TEST(Losses, AndGradientsAreFiniteUnderExtremes)
{
  // A sharp mixture with means far off the sphere, a class that is never seen (p(c) = 0), a feature
  // and an embedding of length 0, a steep Proxy-Anchor.
  GaussianHead head(
    torch::tensor({{100.0f, 0.0f}, {0.0f, -100.0f}, {1.0f, 0.0f}}), torch::ones({3}), {0, 1, 2},
    head_config(2, 64));
  head.class_priors.copy_(torch::tensor({0.5, 0.0, 0.5}));
  const torch::Tensor map = torch::tensor({0.0f, 1e-30f, 0.0f, 1.0f, 1.0f, 1.0f, -1.0f, 2.0f})
                              .view({2, 2, 2})
                              .requires_grad_();
  const torch::Tensor embeddings = torch::tensor({{0.0f, 0.0f}, {1e6f, 1.0f}}).requires_grad_();
  const torch::Tensor proxies =
    torch::tensor({{-1.0f, 0.0f}, {0.0f, 0.0f}, {1.0f, 0.0f}}).requires_grad_();
  LossConfig config;
  config.aux_alpha = 1e4;
  const torch::Tensor features = unit_vectors(map);

  const Losses losses = network_losses(
    head, features, head.forward(features), embeddings, proxies, labels_of({0, 2}), config, true);
  losses.total.backward();

  for (const auto & loss : {losses.ce, losses.mining, losses.aux, losses.total}) {
    EXPECT_TRUE(finite(loss));
  }
  EXPECT_GT(losses.ce.item<double>(), 1e4);
  for (const auto & leaf : {map, embeddings, proxies}) {
    EXPECT_TRUE(finite(leaf.grad()));
  }
}

TEST(Losses, OfASingleClassAreFinite)
{
  torch::manual_seed(6);
  const GaussianHead head(1, 2, head_config(4));
  const torch::Tensor map = torch::randn({2, 4, 5}).requires_grad_();
  const torch::Tensor features = unit_vectors(map);

  const Losses losses = network_losses(
    head, features, head.forward(features), torch::randn({2, 3}), torch::randn({1, 3}),
    labels_of({0, 0}), LossConfig(), true);
  losses.total.backward();

  EXPECT_EQ(losses.mining.item<double>(), 0);
  EXPECT_TRUE(finite(losses.total));
  EXPECT_TRUE(finite(map.grad()));
}

}  // namespace
}  // namespace mgproto
