// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The modified EM against the MGProto authors' numbers (golden/c_em.json and c_shared_adam.json,
// within 2e-6), its gradient against autograd, that classes do not disturb each other, seeding,
// resuming, extremes, and on clusters on the sphere whether a mixture collapses. Not covered: its
// place in a training.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "golden.hpp"
#include "mgproto_ros/error.hpp"
#include "training/learn/em.hpp"

namespace mgproto
{
namespace
{

using test::JsonCase;
using test::largest_difference;
using Optimizer = EmConfig::Optimizer;

constexpr double kRate = 3e-3;

/// A head and a full memory, both [C, ., D].
struct Scene
{
  GaussianHead head;
  MemoryBank bank;

  Scene(
    const torch::Tensor & means, const torch::Tensor & priors, const torch::Tensor & features,
    double concentration = 1)
  : head(
      means.flatten(0, 1).clone(), priors.flatten().clone(), classes_of(means),
      head_config(means, concentration)),
    bank(features.size(0), features.size(1), features.size(2), features.options())
  {
    for (std::int64_t c = 0; c < features.size(0); ++c) {
      bank.push_rows(c, features[c]);
    }
  }
  static std::vector<int> classes_of(const torch::Tensor & means)
  {
    std::vector<int> result;
    for (int c = 0; c < means.size(0); ++c) {
      result.insert(result.end(), means.size(1), c);
    }
    return result;
  }
  static HeadConfig head_config(const torch::Tensor & means, double concentration)
  {
    HeadConfig config;
    config.feature_dim = static_cast<int>(means.size(2));
    config.concentration = concentration;
    return config;
  }
  /// All its features again: the class counts as touched, its memory stays.
  void touch(std::int64_t c) { bank.push_rows(c, bank.contents(c)); }
  torch::Tensor means() const { return head.means.view({head.classes(), -1, head.means.size(1)}); }
  torch::Tensor priors() const { return head.priors.view({head.classes(), -1}); }
};

/// C classes of N unit features, M means and uneven priors.
Scene random_scene(std::int64_t C, std::int64_t M, std::int64_t N = 30, std::int64_t D = 6)
{
  torch::manual_seed(7);
  const torch::Tensor means = torch::randn({C, M, D});
  const torch::Tensor priors = torch::randn({C, M}).softmax(1);
  const torch::Tensor features = unit_vectors(torch::randn({C * N, D})).view({C, N, D});
  return {means / means.norm(2, 2, true), priors, features};
}

EmConfig em_config(Optimizer optimizer, int loops = 3)
{
  EmConfig config;
  config.optimizer = optimizer;
  config.loops = loops;
  return config;
}

class GoldenEm : public ::testing::Test
{
protected:
  JsonCase golden{"c_em.json"};
  torch::Tensor features = golden.input("features").unsqueeze(0);  // [1, N, D]
  torch::Tensor means = golden.input("means").unsqueeze(0);        // [1, M, D]
  torch::Tensor priors = golden.input("pi").unsqueeze(0);          // [1, M]

  /// Means and priors after 1, 2 and 3 loops.
  void expect_authors(Optimizer optimizer, const std::string & name) const
  {
    for (int loops = 1; loops <= 3; ++loops) {
      Scene scene(means, priors, features);
      ModifiedEm em(em_config(optimizer, loops), scene.head, 1);

      em.update(scene.head, scene.bank, kRate);

      const torch::Tensor expected_means = golden.output("means_" + name)[loops - 1];
      const torch::Tensor expected_priors = golden.output("priors_" + name)[loops - 1];
      EXPECT_LT(largest_difference(scene.means()[0], expected_means), 2e-6) << loops;
      EXPECT_LT(largest_difference(scene.priors()[0], expected_priors), 2e-6) << loops;
    }
  }
};

TEST_F(GoldenEm, ResponsibilitiesAreTheAuthors)
{
  const torch::Tensor gamma = responsibilities(features, means, priors, 1);

  EXPECT_LT(largest_difference(gamma[0].t(), golden.output("resp")), 2e-6);
  EXPECT_LT(largest_difference(smoothed(gamma, 0.1)[0].t(), golden.output("resp_smoothed")), 2e-6);
}

TEST_F(GoldenEm, GradientsAreTheAuthors)
{
  const torch::Tensor gamma = responsibilities(features, means, priors, 1);
  const Assignments plain = assignments(features, gamma);
  const Assignments smooth = assignments(features, smoothed(gamma, 0.1));
  const torch::Tensor gradient = mean_gradient(smooth, means, 1, 1);

  EXPECT_LT(largest_difference(gradient[0], golden.output("grad_means_first")), 2e-6);
  EXPECT_LT(
    largest_difference(
      mean_gradient(plain, means, 1, 1)[0], golden.output("grad_means_first_alpha0")),
    2e-6);
  EXPECT_LT(
    largest_difference(
      (gradient - mean_gradient(smooth, means, 1, 0))[0],
      golden.output("grad_means_diversity_only")),
    2e-6);
}

TEST_F(GoldenEm, GradientDescentIsTheAuthors) { expect_authors(Optimizer::sgd, "sgd"); }
TEST_F(GoldenEm, AdamIsTheAuthors) { expect_authors(Optimizer::adam, "adam"); }
TEST_F(GoldenEm, ClosedFormIsTheAuthors) { expect_authors(Optimizer::closed_form, "closed"); }

TEST_F(GoldenEm, LogLikelihoodIsTheAuthors)
{
  const Scene scene(means, priors, features);
  const MixtureHealth health = ModifiedEm(EmConfig(), scene.head, 1).health(scene.head, scene.bank);

  EXPECT_NEAR(health.log_likelihood, golden.output("mean_loglik").item<double>(), 1e-5);
}

TEST(SharedAdam, EveryClassMovesAsIfItWereAlone)
{
  const JsonCase golden("c_shared_adam.json");
  Scene scene(golden.input("means"), golden.input("pi"), golden.input("features"));
  ModifiedEm em(em_config(Optimizer::adam), scene.head, 1);

  em.update(scene.head, scene.bank, kRate);

  for (int c = 0; c < 2; ++c) {
    const std::string name = "class" + std::to_string(c) + "_isolated_adam_after_3";
    EXPECT_LT(largest_difference(scene.means()[c], golden.output(name)), 2e-6) << c;
  }
}

TEST(Gradient, IsThatOfTheObjective)
{
  Scene scene = random_scene(3, 4);
  const torch::Tensor f = scene.bank.full_contents({0, 1, 2}).to(torch::kFloat64);
  const torch::Tensor pi = scene.priors().to(torch::kFloat64);
  const torch::Tensor p = scene.means().to(torch::kFloat64).clone().requires_grad_();
  const double kappa = 5, weight = 0.7;
  const torch::Tensor gamma = responsibilities(f, p.detach(), pi, kappa);  // [3, 4, N]

  const torch::Tensor log_normal =
    -M_PI * kappa * (f.unsqueeze(1) - p.unsqueeze(2)).square().sum(3);  // [3, 4, N]
  const torch::Tensor closeness =
    (-(p.unsqueeze(1) - p.unsqueeze(2)).square().sum(3)).exp() * (1 - torch::eye(4));
  const torch::Tensor cost = -(gamma * log_normal).sum() / 30 + weight * closeness.sum() / (4 * 3);
  cost.backward();

  EXPECT_LT(
    largest_difference(mean_gradient(assignments(f, gamma), p.detach(), kappa, weight), p.grad()),
    1e-12);
}

TEST(ModifiedEm, ManyClassesAtOnceEqualOneAfterTheOther)
{
  for (const auto optimizer : {Optimizer::adam, Optimizer::sgd, Optimizer::closed_form}) {
    Scene together = random_scene(5, 3, 300, 256), apart = random_scene(5, 3, 300, 256);
    ModifiedEm em_together(em_config(optimizer), together.head, 1);
    ModifiedEm em_apart(em_config(optimizer), apart.head, 1);
    apart.bank.take_touched();
    for (int round = 0; round < 2; ++round) {
      for (std::int64_t c = 0; c < 5; ++c) {
        together.touch(c);
        apart.touch(c);
        EXPECT_EQ(em_apart.update(apart.head, apart.bank, kRate), (std::vector<std::int64_t>{c}));
      }
      EXPECT_EQ(em_together.update(together.head, together.bank, kRate).size(), 5u);
    }

    EXPECT_LT(largest_difference(together.means(), apart.means()), 1e-6);
    EXPECT_LT(largest_difference(together.priors(), apart.priors()), 1e-6);
  }
}

TEST(ModifiedEm, AClassThatReceivedNothingDoesNotMove)
{
  Scene scene = random_scene(3, 4);
  ModifiedEm em(em_config(Optimizer::adam), scene.head, 1);
  em.update(scene.head, scene.bank, kRate);  // all three have momentum now
  const torch::Tensor means = scene.means().clone(), priors = scene.priors().clone();

  scene.touch(1);
  em.update(scene.head, scene.bank, kRate);

  for (const int c : {0, 2}) {
    EXPECT_TRUE(scene.means()[c].equal(means[c]));
    EXPECT_TRUE(scene.priors()[c].equal(priors[c]));
  }
  EXPECT_FALSE(scene.means()[1].equal(means[1]));
  EXPECT_EQ(em.state().at("adam.steps")[0].item<int>(), 3);
  EXPECT_EQ(em.state().at("adam.steps")[1].item<int>(), 6);
}

TEST(ModifiedEm, WaitsForFullMemories)
{
  for (const bool wait_for_all : {false, true}) {
    Scene scene = random_scene(2, 3, 10);
    MemoryBank bank(2, 10, 6);
    EmConfig config = em_config(Optimizer::adam);
    config.wait_for_all = wait_for_all;
    ModifiedEm em(config, scene.head, 1);
    bank.push_rows(0, scene.bank.contents(0));
    bank.push_rows(1, scene.bank.contents(1).slice(0, 1));  // one short

    const std::vector<std::int64_t> first = em.update(scene.head, bank, kRate);
    bank.push_rows(1, scene.bank.contents(1).slice(0, 0, 1));
    const std::vector<std::int64_t> second = em.update(scene.head, bank, kRate);

    using Classes = std::vector<std::int64_t>;
    EXPECT_EQ(first, wait_for_all ? Classes{} : Classes{0});
    EXPECT_EQ(second, wait_for_all ? (Classes{0, 1}) : Classes{1});
  }
}

TEST(ModifiedEm, OnePrototypeGoesToTheMeanOfItsFeatures)
{
  for (const auto optimizer : {Optimizer::adam, Optimizer::sgd, Optimizer::closed_form}) {
    Scene scene = random_scene(2, 1);
    ModifiedEm em(em_config(optimizer, 800), scene.head, 1);

    em.update(scene.head, scene.bank, 1e-2);

    const torch::Tensor centre = scene.bank.full_contents({0, 1}).mean(1, true);
    EXPECT_LT(largest_difference(scene.means(), centre), 1e-2);
    EXPECT_LT(largest_difference(scene.priors(), torch::ones({2, 1})), 1e-5);
    const MixtureHealth health = em.health(scene.head, scene.bank);
    EXPECT_EQ(health.mean_pairwise_distance, 0);
    EXPECT_NEAR(health.mean_largest_responsibility, 1, 1e-6);
    EXPECT_EQ(health.distinct_nearest_features, 1);
  }
}

TEST(ModifiedEm, ARestoredOneGoesOnBitIdentically)
{
  Scene scene = random_scene(3, 4);
  EmConfig config = em_config(Optimizer::adam);
  config.init = EmConfig::Init::kmeans;
  ModifiedEm em(config, scene.head, 1);
  em.update(scene.head, scene.bank, kRate);
  scene.touch(2);
  em.update(scene.head, scene.bank, kRate);

  Scene resumed(scene.means(), scene.priors(), torch::zeros({3, 30, 6}));
  resumed.bank.restore(scene.bank.state());
  ModifiedEm resumed_em(config, resumed.head, 1);
  resumed_em.restore(em.state());
  for (const std::int64_t c : {0, 2}) {
    scene.touch(c);
    resumed.touch(c);
  }
  em.update(scene.head, scene.bank, kRate);
  resumed_em.update(resumed.head, resumed.bank, kRate);

  EXPECT_TRUE(scene.head.means.equal(resumed.head.means));
  EXPECT_TRUE(scene.head.priors.equal(resumed.head.priors));
  for (const auto & [name, tensor] : em.state()) {
    EXPECT_TRUE(tensor.equal(resumed_em.state().at(name))) << name;
  }
  EXPECT_THROW(resumed_em.restore({}), Error);
}

TEST(ModifiedEm, IsFiniteUnderExtremes)
{
  // Means far off the sphere, on one point, and on the data; a prior of almost 0; features all the
  // same; no smoothing; a very sharp mixture.
  torch::Tensor means = torch::zeros({3, 3, 4});
  means[0][0].fill_(100);
  means[0][1].fill_(-100);
  means[1].fill_(0.5);
  const torch::Tensor features = torch::full({3, 8, 4}, 0.5);
  means[2] = features[2].slice(0, 0, 3);
  const torch::Tensor priors = torch::tensor({1e-38f, 0.5f, 0.5f}).expand({3, 3});
  for (const auto optimizer : {Optimizer::adam, Optimizer::sgd, Optimizer::closed_form}) {
    Scene scene(means, priors, features, 64);
    EmConfig config = em_config(optimizer, 20);
    config.smoothing = 0;
    config.sharpness = 100;
    ModifiedEm em(config, scene.head, 1);

    em.update(scene.head, scene.bank, kRate);

    EXPECT_TRUE(torch::isfinite(scene.head.means).all().item<bool>());
    EXPECT_TRUE(torch::isfinite(scene.head.priors).all().item<bool>());
    EXPECT_TRUE(std::isfinite(em.health(scene.head, scene.bank).log_likelihood));
  }
}

TEST(ModifiedEm, ClosedFormLeavesAnEmptyComponentWhereItIs)
{
  torch::Tensor means = torch::zeros({1, 2, 2});
  means[0][0][0] = 1;
  means[0][1][1] = 50;  // no feature anywhere near
  Scene scene(means, torch::full({1, 2}, 0.5), unit_vectors(torch::ones({5, 2})).unsqueeze(0));
  EmConfig config = em_config(Optimizer::closed_form);
  config.smoothing = 0;
  ModifiedEm em(config, scene.head, 1);

  em.update(scene.head, scene.bank, kRate);

  EXPECT_TRUE(scene.means()[0][1].equal(means[0][1]));
  EXPECT_LT(largest_difference(scene.means()[0][0], scene.bank.contents(0)[0]), 1e-6);
}

TEST(ModifiedEm, RefusesClassesOfDifferentSizes)
{
  HeadConfig config;
  config.feature_dim = 2;
  const GaussianHead head(torch::zeros({4, 2}), torch::full({4}, 0.5), {0, 1, 1, 1}, config);

  EXPECT_THROW(ModifiedEm(EmConfig(), head, 1), Error);
}

TEST(KmeansSeeds, AreDistinctFeaturesAndTheSameForTheSameKey)
{
  torch::manual_seed(1);
  const torch::Tensor features = unit_vectors(torch::randn({50, 8}));

  const torch::Tensor seeds = kmeans_seeds(features, 10, 3, 4);

  std::set<std::int64_t> rows;
  for (int m = 0; m < 10; ++m) {
    const torch::Tensor same = (features == seeds[m]).all(1).nonzero();
    ASSERT_EQ(same.size(0), 1);
    rows.insert(same.item<std::int64_t>());
  }
  EXPECT_EQ(rows.size(), 10u);
  EXPECT_TRUE(seeds.equal(kmeans_seeds(features, 10, 3, 4)));
  EXPECT_FALSE(seeds.equal(kmeans_seeds(features, 10, 3, 5)));
  EXPECT_FALSE(seeds.equal(kmeans_seeds(features, 10, 2, 4)));
}

TEST(KmeansSeeds, OfFewerDifferentFeaturesRepeatThem)
{
  const torch::Tensor features = torch::eye(2).repeat({3, 1});  // 6 rows, 2 different

  const torch::Tensor seeds = kmeans_seeds(features, 4, 1, 0);

  EXPECT_EQ(seeds.sizes(), (std::vector<std::int64_t>{4, 2}));
  EXPECT_FALSE(seeds[0].equal(seeds[1]));
}

TEST(ModifiedEm, SeedsAClassOnceWhenItsMemoryIsFirstFull)
{
  Scene scene = random_scene(2, 4);
  EmConfig config;
  config.init = EmConfig::Init::kmeans;
  ModifiedEm em(config, scene.head, 9);
  MemoryBank bank(2, 30, 6);
  bank.push_rows(1, scene.bank.contents(1));
  const torch::Tensor before = scene.means().clone();

  em.seed_full_classes(scene.head, bank);

  EXPECT_TRUE(scene.means()[0].equal(before[0]));
  EXPECT_TRUE(scene.means()[1].equal(kmeans_seeds(bank.contents(1), 4, 9, 1)));
  EXPECT_LT(largest_difference(scene.priors()[1], torch::full({4}, 0.25)), 1e-7);
  scene.head.means.zero_();
  em.seed_full_classes(scene.head, bank);
  EXPECT_EQ(scene.head.means.abs().max().item<float>(), 0);
}

/// Ten clusters around one direction of the sphere, as tight as the features of a trained class: a
/// total variance of about 0.11, no direction with more than 0.02 (the paper's sigma^2 is 0.16).
class Collapse : public ::testing::Test
{
protected:
  static constexpr std::int64_t kClasses = 3, kPrototypes = 10, kFeatures = 200, kDim = 32;
  torch::Tensor features = clusters();

  static torch::Tensor clusters()
  {
    torch::manual_seed(11);
    const torch::Tensor centre = torch::randn({kClasses, 1, 1, kDim});
    const torch::Tensor offset = torch::randn({kClasses, kPrototypes, 1, kDim}) * 0.32;
    const torch::Tensor noise =
      torch::randn({kClasses, kPrototypes, kFeatures / kPrototypes, kDim}) * 0.18;
    return unit_vectors((centre + offset + noise).view({-1, kDim}))
      .view({kClasses, kFeatures, kDim});
  }

  MixtureHealth after_em(double concentration, const EmConfig & config, int loops = 600) const
  {
    EmConfig seeded = config;
    seeded.init = EmConfig::Init::kmeans;
    seeded.loops = loops;
    Scene scene(
      torch::zeros({kClasses, kPrototypes, kDim}), torch::full({kClasses, kPrototypes}, 0.1),
      features, concentration);
    ModifiedEm em(seeded, scene.head, 5);
    em.update(scene.head, scene.bank, kRate);
    return em.health(scene.head, scene.bank);
  }
  static EmConfig smoothing(double alpha)
  {
    EmConfig config;
    config.smoothing = alpha;
    return config;
  }
};

TEST_F(Collapse, FeaturesAreAsTightAsThoseOfATrainedClass)
{
  const torch::Tensor centred = features - features.mean(1, true);
  const torch::Tensor covariance = torch::bmm(centred.transpose(1, 2), centred) / kFeatures;
  const torch::Tensor eigenvalues = torch::linalg_eigvalsh(covariance);

  EXPECT_NEAR(eigenvalues.sum(1).mean().item<double>(), 0.11, 0.02);
  EXPECT_LT(eigenvalues.max().item<double>(), 0.04);
}

TEST_F(Collapse, ThePublishedConstantsMakeAllPrototypesOne)
{
  const MixtureHealth health = after_em(1, smoothing(0.1));

  EXPECT_LT(health.mean_pairwise_distance, 0.01);
  EXPECT_NEAR(health.mean_largest_responsibility, 0.1, 0.01);
  EXPECT_LT(health.distinct_nearest_features, 2);
}

TEST_F(Collapse, ASharpMixtureWithLittleSmoothingKeepsThemApart)
{
  const MixtureHealth health = after_em(32, smoothing(0.01));

  EXPECT_GT(health.mean_pairwise_distance, 0.2);
  EXPECT_GT(health.mean_largest_responsibility, 0.5);
  EXPECT_GT(health.distinct_nearest_features, 7);
}

// The M-step keeps the density's concentration, against which a diversity weight of 1 is strong: it
// pushes the means off the data.
TEST_F(Collapse, ASharpEStepAloneKeepsThemApart)
{
  EmConfig config = smoothing(0.01);
  config.sharpness = 32;
  config.diversity_weight = 0.1;

  const MixtureHealth health = after_em(1, config);

  EXPECT_GT(health.mean_pairwise_distance, 0.2);
  EXPECT_LT(health.mean_norm, 1.02);
  EXPECT_GT(health.mean_largest_responsibility, 0.5);
  EXPECT_GT(health.distinct_nearest_features, 7);
}

TEST_F(Collapse, WithoutDiversityAndInClosedFormMeansAreCloserThanWithIt)
{
  EmConfig with = smoothing(0.01);
  with.sharpness = 32;  // far from a collapse, which would make all three 0
  EmConfig without = with, closed = with;
  without.diversity_weight = 0;
  closed.optimizer = Optimizer::closed_form;

  const double distance = after_em(1, with).mean_pairwise_distance;
  const double distance_without = after_em(1, without).mean_pairwise_distance;
  const double distance_closed = after_em(1, closed).mean_pairwise_distance;

  EXPECT_GT(distance_without, 0.2);
  EXPECT_LT(distance_without, 0.7 * distance);
  EXPECT_GT(distance_closed, 0.2);
  EXPECT_LT(distance_closed, 0.7 * distance);
}

}  // namespace
}  // namespace mgproto
