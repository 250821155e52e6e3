// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// How the baseline heads learn: losses by hand, and that training goes on from a snapshot.

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "birds/birds_dataset.hpp"
#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/heads/make_head.hpp"
#include "model/heads/protopnet_head.hpp"
#include "small_model.hpp"
#include "temporary_directory.hpp"
#include "training/ground/last_layer.hpp"
#include "training/learn/protopnet_method.hpp"
#include "training/learn/trainer.hpp"
#include "training/run/initial_weights.hpp"

namespace mgproto
{
namespace
{

TEST(ProtoPNetMethod, PullsTheNearestOwnPrototypeAndPushesTheNearestOther)
{
  ProtoPNetHead head({0, 0, 1, 1}, 1);
  {
    const torch::NoGradGuard no_grad;
    head.means.copy_(torch::tensor({{0.0f}, {0.1f}, {0.7f}, {1.0f}}));
  }
  LossConfig config;
  config.mining_weight = 0;
  ProtoPNetMethod method(config, head);
  SeenBatch batch;
  batch.features = torch::tensor({{{0.3f}}, {{0.9f}}});  // one position each
  batch.labels = torch::tensor({0, 1}, torch::kInt64);

  const Losses losses = method.losses(batch);

  // Of the first image 0.2^2 and 0.4^2, of the second 0.1^2 and 0.8^2.
  const double cluster = (0.04 + 0.01) / 2;
  const double separation = (0.16 + 0.64) / 2;
  ASSERT_EQ(losses.others.size(), 2u);
  EXPECT_NEAR(losses.others[0].second.item<double>(), cluster, 1e-6);
  EXPECT_NEAR(losses.others[1].second.item<double>(), separation, 1e-6);
  EXPECT_NEAR(
    losses.total.item<double>(), losses.ce.item<double>() + 0.8 * cluster - 0.08 * separation,
    1e-5);
  EXPECT_FALSE(losses.mining.defined());
}

TEST(ProtoPNetMethod, MiningPutsTheSecondBestPositionOfTheTrueClassInPlaceOfTheBest)
{
  const torch::NoGradGuard no_grad;
  ProtoPNetHead head({0, 1}, 1);
  head.means.copy_(torch::tensor({{0.0f}, {1.0f}}));
  LossConfig config;
  config.mining_weight = 1;
  config.mining_start = 0;
  config.mining_levels = 2;
  ProtoPNetMethod method(config, head);
  SeenBatch batch;
  batch.features = torch::tensor({{{0.5f, 0.1f}}});
  batch.labels = torch::tensor({0}, torch::kInt64);

  const Losses losses = method.losses(batch);

  const auto similarity = [](double d2) { return std::log((d2 + 1) / (d2 + 1e-4)); };
  const double own = similarity(0.25);    // the farther of the two positions
  const double other = similarity(0.25);  // 0.5 is the nearer one to 1
  const double right = own - 0.5 * other;
  const double wrong = other - 0.5 * own;
  EXPECT_NEAR(losses.mining.item<double>(), std::log1p(std::exp(wrong - right)), 1e-5);
}

TEST(ProtoPNetMethod, WeightDecayLeavesThePrototypesAlone)
{
  const auto means_after_a_step = [](double weight_decay) {
    torch::manual_seed(1);
    TrainingConfig config;
    config.network.model = test::small_config();
    config.network.model.head.kind = "protopnet";
    config.schedule.weight_decay = weight_decay;
    const auto network = std::make_shared<Network>(
      config.network.model, make_head(config.network.model.head, 3, equal_classes(3, 2)));
    Trainer trainer(config, network);
    trainer.step(torch::randn({3, 3, 48, 48}), torch::tensor({0, 1, 2}, torch::kInt64), 0);
    return network->prototype_head()->means.detach().clone();
  };
  EXPECT_TRUE(torch::equal(means_after_a_step(0), means_after_a_step(10)));
}

TEST(MakeMethod, NamesAnUnknownKind)
{
  TrainingConfig config;
  config.network.model = test::small_config();
  const auto head = make_head(config.network.model.head, 3, equal_classes(3, 2));
  config.network.model.head.kind = "svm";
  Network network(config.network.model, head);
  EXPECT_THROW(make_method(config, network), ConfigError);
}

class Baselines : public ::testing::TestWithParam<std::string>
{
protected:
  std::unique_ptr<Trainer> trainer(int seed)
  {
    torch::manual_seed(seed);
    TrainingConfig config;
    config.network.model = test::small_config();
    config.network.model.head.kind = GetParam();
    config.loss.mining_start = 0;
    config.loss.mining_levels = 3;
    config.schedule.backbone_rate = 1e-3;
    return std::make_unique<Trainer>(
      config,
      std::make_shared<Network>(
        config.network.model, make_head(config.network.model.head, 3, equal_classes(3, 2))));
  }

  static std::pair<torch::Tensor, torch::Tensor> batch()
  {
    torch::manual_seed(9);
    return {torch::randn({6, 3, 48, 48}), torch::tensor({0, 1, 2, 0, 1, 2}, torch::kInt64)};
  }
};

TEST_P(Baselines, LearnABatchByHeart)
{
  const auto subject = trainer(1);
  const auto [images, labels] = batch();
  const double before = subject->step(images, labels, 0).ce;
  double after = before;
  for (int i = 0; i < 30; ++i) {
    after = subject->step(images, labels, 0).ce;
  }
  EXPECT_LT(after, 0.5 * before);
}

TEST_P(Baselines, GoOnFromASnapshotBitForBit)
{
  const auto straight = trainer(1);
  const auto [images, labels] = batch();
  straight->step(images, labels, 0);
  State kept;
  for (const auto & [name, tensor] : straight->state()) {
    kept[name] = tensor.clone();
  }
  const auto resumed = trainer(2);
  resumed->restore(kept);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(straight->step(images, labels, 0).total, resumed->step(images, labels, 0).total);
  }
}

INSTANTIATE_TEST_SUITE_P(Heads, Baselines, ::testing::Values("softmax", "protopnet"));

TEST(InitialWeights, OfAnotherHeadAreTheBackbonesAlone)
{
  const test::TemporaryDirectory directory;
  const auto network = [](const char * kind, int seed) {
    torch::manual_seed(seed);
    ModelConfig config = test::small_config();
    config.head.kind = kind;
    return std::make_shared<Network>(config, make_head(config.head, 3, equal_classes(3, 2)));
  };
  const auto softmax = network("softmax", 1);
  Manifest manifest;
  manifest.classes = {"a", "b", "c"};
  save_checkpoint(directory / "softmax.safetensors", *softmax, manifest);
  const auto protopnet = network("protopnet", 2);
  const auto before = network("protopnet", 2);

  load_initial_weights(*protopnet, manifest.classes, directory / "softmax.safetensors");

  const auto weight = [](const auto & of, const char * name) {
    return of->named_parameters()[name];
  };
  EXPECT_TRUE(
    weight(protopnet, "backbone.conv1.weight").equal(weight(softmax, "backbone.conv1.weight")));
  EXPECT_TRUE(weight(protopnet, "add_on.0.weight").equal(weight(before, "add_on.0.weight")));
  EXPECT_TRUE(weight(protopnet, "head.means").equal(weight(before, "head.means")));
}

TEST(InitialWeights, ClassesOfTheSameNameKeepTheirPrototypes)
{
  const test::TemporaryDirectory directory;
  const std::string path = directory / "birds.safetensors";
  const auto start = test::small_network();  // finch, wren, jay with 2, 3 and 1 prototypes
  save_checkpoint(path, *start, test::small_manifest());
  const GaussianHead & known = start->gaussian_head();
  torch::manual_seed(5);
  const ModelConfig config = test::small_config();
  const auto network =
    std::make_shared<Network>(config, make_head(config.head, 4, equal_classes(4, 2)));
  const torch::Tensor before = network->gaussian_head().means.clone();

  load_initial_weights(*network, {"dodo", "wren", "finch", "jay"}, path);

  const GaussianHead & head = network->gaussian_head();
  EXPECT_TRUE(head.means_of(0).equal(before.slice(0, 0, 2)));
  EXPECT_TRUE(head.means_of(1)[0].equal(known.means_of(1)[2])) << "the largest prior first";
  EXPECT_TRUE(head.means_of(1)[1].equal(known.means_of(1)[1]));
  EXPECT_FLOAT_EQ(head.priors[2].item<float>(), 0.5f) << "not the priors of three";
  EXPECT_TRUE(head.means_of(2).equal(known.means_of(0)));
  EXPECT_TRUE(head.means_of(3)[0].equal(known.means_of(2)[0]));
  EXPECT_TRUE(head.means_of(3)[1].equal(before[7]));
  const auto weight = [](Network & of) { return of.named_parameters()["add_on.0.weight"]; };
  EXPECT_TRUE(weight(*network).equal(weight(*start)));
}

TEST(LastLayer, FitsTheTrainingImagesBetterAndMovesNothingElse)
{
  const test::TemporaryDirectory directory;
  birds::Options options;
  options.classes = 3;
  options.per_class = 8;
  options.size = 48;
  options.calibration = 3;
  options.ood = 1;
  birds::write_dataset(directory / "drawn", options);
  const Dataset dataset = open_dataset(directory / "drawn/birds", "train");
  LoaderConfig loader_config;
  loader_config.preprocessing.size = 48;
  loader_config.batch_size = 4;
  Loader loader(dataset, loader_config);
  ModelConfig config = test::small_config();
  config.head.kind = "protopnet";
  torch::manual_seed(3);
  Network network(config, make_head(config.head, 3, equal_classes(3, 2)));
  PrototypeHead & head = *network.prototype_head();
  const torch::Tensor means = head.means.detach().clone();
  const auto cross_entropy = [&] {
    double sum = 0;
    for_each_batch(network, loader, {}, [&](const BatchOutputs & batch) {
      sum += torch::nn::functional::cross_entropy(batch.logits(), batch.labels()).item<double>();
    });
    return sum;
  };

  const double before = cross_entropy();
  fit_last_layer(network, loader);

  EXPECT_LT(cross_entropy(), before);
  EXPECT_TRUE(head.means.equal(means));
}

}  // namespace
}  // namespace mgproto
