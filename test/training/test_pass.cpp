// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// A pass over images: what it computes and what it does not, and that what was collected says the
// same about a pruned head as a pass of its own.

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "birds/birds_dataset.hpp"
#include "mgproto_ros/error.hpp"
#include "small_model.hpp"
#include "temporary_directory.hpp"
#include "training/ground/pruning.hpp"
#include "training/measure/logit_scores.hpp"
#include "training/measure/measure.hpp"
#include "training/measure/recognition.hpp"

namespace mgproto
{
namespace
{

DecisionRule by_log_density(double threshold)
{
  return {[](const ImageOutputs & images) { return energy(images.logits); }, threshold};
}

/// Counts how often all prototypes are compared with all positions.
class CountingHead : public GaussianHead
{
public:
  using GaussianHead::GaussianHead;

  torch::Tensor similarity_maps(
    const torch::Tensor & features, const torch::Tensor & prototypes) const override
  {
    ++maps;
    return GaussianHead::similarity_maps(features, prototypes);
  }

  mutable int maps = 0;
};

class Pass : public ::testing::Test
{
protected:
  static void SetUpTestSuite()
  {
    directory = new test::TemporaryDirectory;
    birds::Options options;
    options.classes = 3;
    options.per_class = 4;
    options.size = 64;
    options.calibration = 3;
    options.ood = 5;
    birds::write_dataset(*directory / "drawn", options);
  }
  static void TearDownTestSuite() { delete directory; }

  static LoaderConfig loader_config()
  {
    LoaderConfig config;
    config.preprocessing.size = 48;
    config.batch_size = 4;
    return config;
  }

  Dataset open(const std::string & name, bool labelled = true) const
  {
    DatasetOptions options;
    options.labelled = labelled;
    options.evaluation = true;
    return open_dataset(*directory / ("drawn/" + name), "all", options);
  }

  ImageOutputs collected(
    Network & of, const Dataset & dataset,
    const Columns & columns = {{"logits", &BatchOutputs::logits}}) const
  {
    Loader loader(dataset, loader_config());
    return collect(of, loader, {}, columns);
  }

  static test::TemporaryDirectory * directory;
  std::shared_ptr<Network> network = test::small_network();
};

test::TemporaryDirectory * Pass::directory = nullptr;

TEST_F(Pass, ComputesAnOutputWhenItIsAskedForAndOnce)
{
  const GaussianHead & small = network->gaussian_head();
  const auto head = std::make_shared<CountingHead>(
    small.means, small.priors, small.prototype_class(), network->config().head);
  const auto counting = with_head(*network, head);
  const Dataset dataset = open("birds");
  Loader loader(dataset, loader_config());
  const std::int64_t batches = loader.batches_per_epoch();

  for_each_batch(*counting, loader, {}, [&](const BatchOutputs & batch) {
    EXPECT_EQ(batch.features().size(0), batch.batch().count);
    EXPECT_EQ(batch.images().size(2), 48);
  });
  EXPECT_EQ(head->maps, 0) << "who looks at features alone pays for no maps";

  for_each_batch(*counting, loader, {}, [&](const BatchOutputs & batch) {
    EXPECT_TRUE(torch::equal(batch.logits(), head->class_logits(batch.similarity())));
    EXPECT_EQ(batch.maps().size(1), 6);
    EXPECT_TRUE(torch::equal(batch.similarity(), std::get<0>(batch.maps().max(2))));
  });
  EXPECT_EQ(head->maps, batches);
}

TEST_F(Pass, CollectsTheChosenColumnsInTheOrderOfTheSet)
{
  const torch::NoGradGuard no_grad;
  const Dataset dataset = open("birds");

  const ImageOutputs images = collected(
    *network, dataset, {{"logits", &BatchOutputs::logits}, {"features", &BatchOutputs::pooled}});

  ASSERT_EQ(images.labels.size(0), dataset.size());
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    EXPECT_EQ(images.labels[i].item<std::int64_t>(), dataset.samples[i].label);
  }
  EXPECT_EQ(images.features.size(1), network->backbone().channels());
  EXPECT_FALSE(images.similarity.defined());
  const ImageOutputs again = ImageOutputs::from(images.tensors());
  EXPECT_TRUE(torch::equal(again.logits, images.logits));
  EXPECT_FALSE(again.similarity.defined());
}

TEST_F(Pass, OfABackboneAloneHasFeaturesAndNothingElse)
{
  Network backbone(test::small_config(), nullptr);
  const ImageOutputs images =
    collected(backbone, open("birds"), columns_for_scores(backbone, true));
  EXPECT_TRUE(images.features.defined());
  EXPECT_FALSE(images.logits.defined());
  EXPECT_FALSE(images.similarity.defined());
}

TEST_F(Pass, APrunedHeadIsMeasuredAsInAPassOfItsOwn)
{
  const torch::NoGradGuard no_grad;
  const GaussianHead & head = network->gaussian_head();
  const Columns columns{
    {"logits", &BatchOutputs::logits}, {"similarity", &BatchOutputs::similarity}};
  MeasuredImages images;
  images.test = collected(*network, open("birds"), columns);
  images.ood["textures"] = collected(*network, open("ood/textures", false), columns);
  const Pruning pruning = most_important(head, 1);
  const auto pruned = pruned_head(head, pruning, network->config().head, false);
  const auto alone = with_head(*network, pruned, pruning.kept);

  const MeasuredImages seen = as_pruned(images, *pruned, pruning.kept);

  const ImageOutputs own = collected(*alone, open("birds"));
  EXPECT_LT((seen.test.logits - own.logits).abs().max().item<double>(), 1e-5);
  const ModelResult result =
    measure_model(pruned.get(), seen, plain_scores(true), by_log_density(-1e9));
  EXPECT_EQ(result.prototypes, 3);
  EXPECT_FALSE(result.diversity) << "one prototype a class";
  EXPECT_EQ(result.accuracy, accuracy(own));
  EXPECT_EQ(result.calibrated->tpr, 1);
  EXPECT_EQ(result.calibrated->tpr_of_class.size(), 3u);
  const OodResult & textures = result.ood.at("textures");
  EXPECT_EQ(textures.count, 5);
  EXPECT_EQ(textures.passed, 1);
  ASSERT_EQ(textures.scores.size(), 2u);
  EXPECT_EQ(textures.scores[0].first, "log_density");
  EXPECT_EQ(
    textures.scores[0].second->auroc,
    auroc(log_density(seen.test), log_density(seen.ood.at("textures"))));
}

TEST(Measure, WhatPassesTheThresholdIsCountedByClassAndAmongWrongAnswers)
{
  // log p(x) is 0, -1, -2, -3; the second and the last answer are wrong.
  MeasuredImages images;
  images.test.logits = torch::tensor({{0.0, -99.0}, {-1.0, -99.0}, {-99.0, -2.0}, {-3.0, -99.0}});
  images.test.labels = torch::tensor({0, 1, 1, 1}, torch::kInt64);

  const ModelResult result = measure_model(nullptr, images, {}, by_log_density(-1.5));

  ASSERT_TRUE(result.calibrated);
  EXPECT_DOUBLE_EQ(result.calibrated->tpr, 0.5);
  EXPECT_DOUBLE_EQ(result.calibrated->wrong_known.value(), 0.5);
  EXPECT_DOUBLE_EQ(result.calibrated->tpr_of_class[0].value(), 1);
  EXPECT_DOUBLE_EQ(result.calibrated->tpr_of_class[1].value(), 1.0 / 3);
  EXPECT_EQ(result.calibrated->worst_class, 1u);
  EXPECT_FALSE(measure_model(
                 nullptr, {{images.test.logits, {}, torch::zeros({4}, torch::kInt64)}, {}, {}}, {},
                 by_log_density(0))
                 .calibrated->tpr_of_class[1]);
}

}  // namespace
}  // namespace mgproto
