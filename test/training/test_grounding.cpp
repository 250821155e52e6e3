// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Projection and pruning against golden/d_prune_push.json, OoD metrics against golden/e_ood.json,
// calibration on numbers worked out by hand.

#include <gtest/gtest.h>

#include "golden.hpp"
#include "mgproto_ros/error.hpp"
#include "model/decision.hpp"
#include "model/quantile.hpp"
#include "small_model.hpp"
#include "training/ground/calibration.hpp"
#include "training/ground/concentration.hpp"
#include "training/ground/patch_agreement.hpp"
#include "training/ground/projection.hpp"
#include "training/ground/pruning.hpp"
#include "training/measure/score_metrics.hpp"

namespace mgproto
{
namespace
{

class GoldenProjection : public ::testing::Test
{
protected:
  void SetUp() override
  {
    const auto & push = golden["push"];
    const auto images = static_cast<std::int64_t>(push["F"].size());
    const torch::Tensor features = unit_vectors(test::tensor_of(push["F"], {images, 8, 2, 4}));
    for (std::int64_t i = 0; i < images; ++i) {
      InputGeometry geometry;
      geometry.size = 16;
      search->add(*head, features[i], push["image_class"][i], i, geometry);
    }
  }

  void expect_choice(bool distinct_images, const nlohmann::json & expected)
  {
    const auto chosen = search->choose(distinct_images);
    ASSERT_EQ(chosen.size(), expected.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (expected[k]["image"] == -1) {
        EXPECT_FALSE(chosen[k]) << k;
        continue;
      }
      ASSERT_TRUE(chosen[k]) << k;
      EXPECT_EQ(chosen[k]->image, expected[k]["image"].get<std::int64_t>()) << k;
      EXPECT_EQ(chosen[k]->position / 4, expected[k]["h"].get<std::int64_t>()) << k;
      EXPECT_EQ(chosen[k]->position % 4, expected[k]["w"].get<std::int64_t>()) << k;
      EXPECT_NEAR(std::exp(chosen[k]->similarity), expected[k]["lik"].get<double>(), 1e-5);
    }
  }

  nlohmann::json golden = test::read_json(test::test_data("golden/d_prune_push.json"));
  HeadConfig config = [] {
    HeadConfig result;
    result.feature_dim = 8;
    return result;
  }();
  std::shared_ptr<GaussianHead> head = std::make_shared<GaussianHead>(
    test::tensor_of(golden["push"]["means_before"], {6, 8}),
    test::tensor_of(golden["push"]["pi"], {6}), std::vector<int>{0, 0, 0, 1, 1, 1}, config);
  std::unique_ptr<PatchSearch> search = std::make_unique<PatchSearch>(*head);
};

TEST_F(GoldenProjection, PlainArgmaxIsThePapers) { expect_choice(false, golden["push"]["paper"]); }

TEST_F(GoldenProjection, DistinctImagesAreTheAuthors)
{
  expect_choice(true, golden["push"]["reference"]);
}

TEST_F(GoldenProjection, TheChosenFeatureBecomesTheMean)
{
  const auto chosen = search->choose(false);
  const torch::Tensor expected = test::tensor_of(golden["push"]["means_after_paper"], {6, 8});
  for (std::int64_t k = 0; k < 6; ++k) {
    EXPECT_LT(test::largest_difference(torch::tensor(chosen[k]->feature), expected[k]), 1e-5);
  }
}

TEST_F(GoldenProjection, DistinctPatchesCountsPartsWithoutForcingIt)
{
  // The first class's are at (0, 0) and (0, 1) of one image and in another one; the second's at (1, 1)
  // of one image and beside it.
  EXPECT_DOUBLE_EQ(search->distinct_patches(), (2 + 1) / 2.0);
}

/// The three prototypes of one class are nearest to one position each of maps [8, 2, 4].
double distinct_patches_at(
  const torch::Tensor & features, const std::vector<std::pair<int, int>> & image_and_position)
{
  HeadConfig config;
  config.feature_dim = 8;
  std::vector<torch::Tensor> means;
  for (const auto & [image, position] : image_and_position) {
    means.push_back(features[image].flatten(1).select(1, position));
  }
  const GaussianHead head(
    torch::stack(means), torch::full({3}, 1.f / 3), std::vector<int>{0, 0, 0}, config);
  PatchSearch search(head);
  for (std::int64_t i = 0; i < features.size(0); ++i) {
    search.add(head, features[i], 0, i, {16, 16, 1, 1, 0, 0, 16});
  }
  return search.distinct_patches();
}

TEST(DistinctPatches, AreParts)
{
  torch::manual_seed(3);
  // Random vectors of 8 numbers have cosines well below the limit.
  torch::Tensor features = unit_vectors(torch::randn({2, 8, 2, 4}));
  EXPECT_EQ(distinct_patches_at(features, {{0, 0}, {0, 2}, {1, 1}}), 3);
  EXPECT_EQ(distinct_patches_at(features, {{0, 0}, {0, 5}, {1, 1}}), 2) << "neighbours, diagonally";
  EXPECT_EQ(distinct_patches_at(features, {{0, 3}, {0, 4}, {1, 1}}), 3) << "ends of two rows";

  // All but the same feature in another image.
  features[1].select(1, 0).select(1, 1) = features[0].select(1, 0).select(1, 0) + 0.01;
  features = unit_vectors(features);
  EXPECT_EQ(distinct_patches_at(features, {{0, 0}, {0, 2}, {1, 1}}), 2);
}

TEST(Pruning, KeepsExactlyTheMostImportant)
{
  const nlohmann::json prune =
    test::read_json(test::test_data("golden/d_prune_push.json"))["prune"];
  HeadConfig config;
  config.feature_dim = 2;
  const GaussianHead head(
    torch::rand({6, 2}), test::tensor_of(prune["pi_before"], {6}), {0, 0, 0, 1, 1, 1}, config);

  const auto kept = most_important(head, 2);

  // The second class has a tie: the first of the equal ones stays, not both.
  EXPECT_EQ(kept.kept, (std::vector<std::int64_t>{1, 2, 3, 5}));
  const auto pruned = pruned_head(head, kept, config, false);
  EXPECT_EQ(pruned->prototypes(), 4);
  EXPECT_FLOAT_EQ(pruned->priors[0].item<float>(), prune["pi_before"][0][1].get<float>());
  const auto renormalised = pruned_head(head, kept, config, true);
  EXPECT_NEAR(renormalised->priors.slice(0, 0, 2).sum().item<float>(), 1, 1e-6);
  EXPECT_THROW(most_important(head, 0), ConfigError);
  EXPECT_EQ(most_important(head, 100).kept.size(), 6u);
}

TEST(Pruning, ThePrunedNetworkSharesWeightsAndAnswersAsTheSumOfItsPrototypes)
{
  const torch::NoGradGuard no_grad;
  const auto network = test::small_network();
  const auto kept = most_important(network->gaussian_head(), 1);
  const auto pruned = with_head(
    *network, pruned_head(network->gaussian_head(), kept, network->config().head, false),
    kept.kept);
  pruned->eval();
  const torch::Tensor images = torch::randn({2, 3, 48, 48});

  const Densities all = network->forward(images);
  const Densities few = pruned->forward(images);

  for (int c = 0; c < 3; ++c) {
    const torch::Tensor expected = all.log_likelihood.select(1, kept.kept[c]) +
                                   network->gaussian_head().priors[kept.kept[c]].log();
    EXPECT_LT(test::largest_difference(few.log_class_density.select(1, c), expected), 1e-5);
  }
}

/// Two classes of three prototypes.
GaussianHead six_prototypes()
{
  HeadConfig config;
  config.feature_dim = 2;
  return GaussianHead(
    torch::eye(2).repeat({3, 1}), torch::tensor({0.5f, 0.3f, 0.2f, 0.2f, 0.2f, 0.6f}),
    {0, 0, 0, 1, 1, 1}, config);
}

TEST(Pruning, ByPurityDropsThosePrototypesWhosePatchesAreOthers)
{
  const GaussianHead head = six_prototypes();
  PatchAgreement agreement(head);
  // Prototypes 0 and 2 are nearest to class 0; 1, 3, 4 and 5 to images of the other class.
  const torch::Tensor first = torch::tensor({-1.f, -9.f, -1.f, -1.f, -2.f, -1.f});
  const torch::Tensor second = torch::tensor({-9.f, -1.f, -9.f, -9.f, -1.5f, -9.f});
  for (int i = 0; i < 10; ++i) {
    agreement.add(first, 0);
    agreement.add(second, 1);
  }
  EXPECT_EQ(agreement.purity(0), 6);
  EXPECT_EQ(agreement.purity(1), 0);
  EXPECT_EQ(agreement.purity(4), 6);

  const Pruning pruning = purest(head, agreement);

  EXPECT_EQ(pruning.kept, (std::vector<std::int64_t>{0, 2, 4}));
  EXPECT_EQ(pruning.priors[1].item<float>(), 0.2f);
}

TEST(Pruning, ByPurityKeepsThePurestOfAClassThatHasNonePure)
{
  const GaussianHead head = six_prototypes();
  PatchAgreement agreement(head);
  for (int i = 0; i < 6; ++i) {
    // One image of class 1 among prototype 4's nearest, none among the others'.
    agreement.add(torch::full({6}, -1.f), 0);
  }
  agreement.add(torch::tensor({-9.f, -9.f, -9.f, -9.f, -0.5f, -9.f}), 1);

  EXPECT_EQ(purest(head, agreement).kept, (std::vector<std::int64_t>{0, 1, 2, 4}));
}

TEST(Pruning, MergingJoinsThoseThatAnswerAlikeAndKeepsTheSumOfPriors)
{
  const GaussianHead head = six_prototypes();
  PatchAgreement agreement(head);
  agreement.add(torch::tensor({-0.1f, -3.f, -0.1f, -1.f, -2.f, -1.1f}), 0);
  agreement.add(torch::tensor({-2.f, -0.1f, -2.1f, -1.f, -0.1f, -1.f}), 1);
  EXPECT_EQ(agreement.difference(0, 0), 0);
  EXPECT_EQ(agreement.difference(0, 2), agreement.difference(2, 0));
  EXPECT_NEAR(agreement.difference(3, 5), std::pow(std::exp(-1.0) - std::exp(-1.1), 2), 1e-7);

  const Pruning two = merged(head, agreement, 2);
  EXPECT_EQ(two.kept, (std::vector<std::int64_t>{0, 1, 4, 5}));
  EXPECT_TRUE(torch::allclose(two.priors, torch::tensor({0.7f, 0.3f, 0.2f, 0.8f})));

  const Pruning one = merged(head, agreement, 1);
  EXPECT_EQ(one.kept, (std::vector<std::int64_t>{0, 5}));
  EXPECT_TRUE(torch::allclose(one.priors, torch::ones({2})));
  EXPECT_THROW(merged(head, agreement, 0), ConfigError);
}

TEST(Pruning, TheComparedWaysAreRowsOfATable)
{
  const GaussianHead head = six_prototypes();
  PatchAgreement agreement(head);
  agreement.add(torch::tensor({-0.1f, -3.f, -0.1f, -1.f, -2.f, -1.1f}), 0);

  EXPECT_EQ(compared_prunings(head, {2, 1}, {}).size(), 2u);
  const auto rows = compared_prunings(head, {2, 1}, agreement);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[1].method, PruningMethod::importance);
  EXPECT_EQ(rows[1].pruning.kept, most_important(head, 1).kept);
  EXPECT_EQ(rows[2].method, PruningMethod::purity);
  EXPECT_FALSE(rows[2].keep);
  EXPECT_EQ(rows[3].method, PruningMethod::merge);
  EXPECT_EQ(rows[3].keep, 2);
}

TEST(Concentration, ScalesTheLogLikelihoodsAndNothingElse)
{
  const torch::NoGradGuard no_grad;
  const auto network = test::small_network();
  network->gaussian_head().class_priors.copy_(torch::tensor({0.5, 0.3, 0.2}));
  const auto narrow = with_concentration(*network, 3 * network->gaussian_head().concentration());
  network->eval();
  narrow->eval();
  const torch::Tensor images = torch::randn({2, 3, 48, 48});

  const Densities before = network->forward(images);
  const Densities after = narrow->forward(images);

  EXPECT_LT(test::largest_difference(after.log_likelihood, 3 * before.log_likelihood), 1e-4);
  EXPECT_TRUE(torch::equal(after.position, before.position));
  EXPECT_TRUE(
    torch::equal(narrow->gaussian_head().class_priors, network->gaussian_head().class_priors));
  EXPECT_EQ(narrow->config().head.concentration, 3 * network->config().head.concentration);
}

TEST(Concentration, IsFiniteAndRisesWithTheNumberOfRightAnswers)
{
  const torch::NoGradGuard no_grad;
  const auto network = test::small_network();
  const GaussianHead & head = network->gaussian_head();
  const auto fitted_to = [&](std::int64_t images) {
    // Prototypes of the own class fit, all others are at right angles.
    const torch::Tensor labels = torch::arange(images).remainder(head.classes());
    torch::Tensor similarity = torch::full({images, head.prototypes()}, -6.0);
    for (std::int64_t i = 0; i < images; ++i) {
      const auto [begin, end] = head.range_of(static_cast<int>(labels[i].item<std::int64_t>()));
      similarity[i].slice(0, begin, end).fill_(-3.0);
    }
    return fitted_concentration(head, similarity, labels);
  };
  const double few = fitted_to(12);
  const double many = fitted_to(1200);
  EXPECT_GT(few, 0.3);
  EXPECT_GT(many, 1.5 * few);
  EXPECT_LT(many, 10) << "the largest that is tried is 256";
}

TEST(Pruning, DropsTheCalibration)
{
  Manifest manifest = test::small_manifest();
  manifest.calibration = test::small_calibration(-3);
  manifest.prototypes.resize(6);
  manifest.prototypes[4] = Provenance{"a.jpg", 0, 0, {}, {}, {}};
  const Manifest pruned = pruned_manifest(manifest, {0, 4, 5});
  EXPECT_EQ(pruned.stage, Stage::pruned);
  EXPECT_FALSE(pruned.calibration);
  ASSERT_EQ(pruned.prototypes.size(), 3u);
  EXPECT_EQ(pruned.prototypes[1]->image, "a.jpg");
}

TEST(OodMetrics, AreTheGoldenOnes)
{
  const nlohmann::json golden = test::read_json(test::test_data("golden/e_ood.json"));
  const auto in = golden["id_score_sum"].get<std::vector<double>>();
  const auto out = golden["ood_score_sum"].get<std::vector<double>>();
  EXPECT_NEAR(auroc(in, out), golden["auroc"].get<double>(), 1e-12);
  const auto & expected = golden["fpr95"]["percentile_linear"];
  EXPECT_NEAR(quantile(in, 0.05), expected["threshold"].get<double>(), 1e-12);
  EXPECT_NEAR(fpr95(in, out), expected["fpr95_ge"].get<double>(), 1e-12);

  const auto small_in = golden["small"]["id"].get<std::vector<double>>();
  const auto small_out = golden["small"]["ood"].get<std::vector<double>>();
  EXPECT_NEAR(auroc(small_in, small_out), golden["small"]["auroc"].get<double>(), 1e-12);
  EXPECT_NEAR(fpr95(small_in, small_out), 0.5, 1e-12);
}

TEST(OodMetrics, TiesCountHalf)
{
  EXPECT_DOUBLE_EQ(auroc({1, 2}, {1, 0}), (0.5 + 1 + 1 + 1) / 4);
  EXPECT_DOUBLE_EQ(auroc({1}, {1}), 0.5);
}

TEST(Quantile, InterpolatesBetweenTheNearestRanks)
{
  const std::vector<double> values{4, 1, 3, 2};
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(values, 1), 4);
  EXPECT_DOUBLE_EQ(quantile(std::vector<double>{7}, 0.05), 7);
  EXPECT_FLOAT_EQ(quantile(std::vector<float>{3, 1, 2}, 0.25), 1.5f);
  EXPECT_DOUBLE_EQ(quantile_of_sorted(std::vector<double>{1, 2, 4}, 0.75), 3);
}

TEST(CalibrationTest, LetsTheAskedShareOfHeldOutImagesPass)
{
  std::vector<double> log_density;
  for (int i = 0; i < 1000; ++i) {
    log_density.push_back(-0.01 * ((i * 7) % 1000));
  }
  const Calibration calibration = calibrate(log_density, 0.95);
  // 50 of 1001 may be lost: the threshold is the 50th.
  EXPECT_NEAR(share_at_or_above(log_density, threshold_for(calibration)), 0.951, 1e-9);
  EXPECT_EQ(calibration.log_density.size(), 1000u);
  EXPECT_DOUBLE_EQ(calibration.log_density.front(), -9.99);
  EXPECT_DOUBLE_EQ(calibration.log_density.back(), 0);
}

TEST(CalibrationTest, RefusesTooFewImagesAndDensitiesThatAreNotFinite)
{
  EXPECT_NO_THROW(calibrate(std::vector<double>(19, -1.0), 0.95));
  try {
    calibrate(std::vector<double>(18, -1.0), 0.95);
    ADD_FAILURE() << "18 images were enough";
  } catch (const Error & error) {
    EXPECT_STREQ(
      error.what(), "calibration on 18 images: at least 19 are needed to promise a tpr of 0.95");
  }
  std::vector<double> values(100, -1.0);
  values[50] = NAN;
  EXPECT_THROW(calibrate(values, 0.95), Error);
  values[50] = -1;
  EXPECT_THROW(calibrate(values, 1.0), ConfigError);
}

}  // namespace
}  // namespace mgproto
