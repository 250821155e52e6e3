// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// One training step after the other against the authors' traces of a ResNet18 (where the shared files
// are; test_authors_trace.cpp has a small one always), and what must hold on any data: determinism,
// snapshots, schedules, errors.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "golden.hpp"
#include "model/checkpoint.hpp"
#include "model/import.hpp"
#include "small_model.hpp"
#include "temporary_directory.hpp"
#include "training/learn/mixture_method.hpp"
#include "training/learn/trainer.hpp"
#include "training/run/run_directory.hpp"

namespace mgproto
{
namespace
{

TrainingConfig authors_config()
{
  TrainingConfig config;  // the paper's constants
  config.loss.mining_levels = 5;
  config.loss.mining_start = 0;
  config.loss.aux_embedding = 32;
  config.loss.aux_freeze_embedding = true;
  config.em.memory = 24;
  config.em.start = 0;
  config.em.wait_for_all = true;
  config.schedule.decay_every = 1000000;
  return config;
}

MixtureMethod & mixtures(Trainer & trainer)
{
  return dynamic_cast<MixtureMethod &>(trainer.method());
}

class AuthorsTraceWithSharedFiles : public ::testing::Test
{
protected:
  void SetUp() override
  {
    if (!test::exists(folder + "/init_legacy.pth")) {
      GTEST_SKIP() << folder << " is not here";
    }
    golden = std::make_unique<test::BinaryCase>(folder);
    trace = test::read_json(folder + "/trace.json");
    order = trace["meta"]["order"].get<std::vector<std::int64_t>>();
    labels = trace["meta"]["labels"].get<std::vector<std::int64_t>>();
    ImportOptions options;
    options.preprocessing.size = 64;
    import_state_dict(folder + "/init_legacy.pth", directory / "g.safetensors", options);
  }

  std::unique_ptr<Trainer> trainer(const TrainingConfig & config)
  {
    auto result =
      std::make_unique<Trainer>(config, load_checkpoint(directory / "g.safetensors").network);
    torch::NoGradGuard no_grad;
    mixtures(*result).auxiliary().proxies.copy_((*golden)["proxies_init"]);
    mixtures(*result).auxiliary().embedding_weight.copy_((*golden)["embedding_weight"]);
    mixtures(*result).auxiliary().embedding_bias.copy_((*golden)["embedding_bias"]);
    return result;
  }

  StepReport step(Trainer & trainer, int iteration)
  {
    std::vector<std::int64_t> images, batch_labels;
    for (int i = 0; i < 8; ++i) {
      images.push_back(order[(iteration * 8 + i) % order.size()]);
      batch_labels.push_back(labels[images.back()]);
    }
    return trainer.step(
      (*golden)["images"].index_select(0, torch::tensor(images, torch::kInt64)),
      torch::tensor(batch_labels, torch::kInt64), 0);
  }

  static void expect_losses(const StepReport & step, const nlohmann::json & line, double tolerance)
  {
    EXPECT_NEAR(step.ce, line["L_ce"].get<double>(), tolerance) << line["it"];
    EXPECT_NEAR(step.mining, line["L_mine"].get<double>(), tolerance) << line["it"];
    EXPECT_NEAR(step.aux, line["L_aux"].get<double>(), tolerance) << line["it"];
  }

  std::string folder = test::shared_fixture("g_train");
  test::TemporaryDirectory directory;
  std::unique_ptr<test::BinaryCase> golden;
  nlohmann::json trace;
  std::vector<std::int64_t> order, labels;
};

TEST_F(AuthorsTraceWithSharedFiles, LossesAndGradientsOfTheFirstIterationAgree)
{
  const auto subject = trainer(authors_config());

  expect_losses(step(*subject, 0), trace["trace"][0], 5e-5);

  const auto parameters = subject->network().named_parameters();
  for (const auto & [ours, theirs] : std::map<std::string, std::string>{
         {"backbone.layer4.1.conv2.weight", "features.layer4.1.conv2.weight"},
         {"backbone.layer4.1.bn2.bias", "features.layer4.1.bn2.bias"},
         {"add_on.0.weight", "add_on_layers.0.weight"},
         {"add_on.0.bias", "add_on_layers.0.bias"},
         {"add_on.1.weight", "add_on_layers.1.weight"}}) {
    EXPECT_LT(
      test::relative_difference(parameters[ours].grad(), (*golden)["grad0/" + theirs]), 5e-5)
      << ours;
  }
  EXPECT_LT(
    test::relative_difference(
      mixtures(*subject).auxiliary().proxies.grad(), (*golden)["grad0/proxies"]),
    5e-5);
}

TEST_F(AuthorsTraceWithSharedFiles, WithAFrozenBackboneLossesAndMemoryAgreeUpToTheFirstEm)
{
  TrainingConfig config = authors_config();
  config.schedule.frozen_backbone_epochs = 1;
  const auto subject = trainer(config);
  for (const auto & line : trace["warm_only"]["trace"]) {
    const StepReport report = step(*subject, line["it"]);
    expect_losses(report, line, 1e-4);
    for (std::int64_t c = 0; c < 4; ++c) {
      EXPECT_EQ(mixtures(*subject).memory().size(c), line["mem_len"][c].get<std::int64_t>())
        << line["it"];
    }
    EXPECT_EQ(report.em_classes > 0, line["gmm"].get<bool>()) << line["it"];
    if (line["gmm"].get<bool>()) {
      return;  // from here on their one Adam moves classes that are not being updated
    }
  }
  FAIL() << "the trace has no EM";
}

/// Their EM: one Adam over the means of all classes, stepped once for each class and loop, so that
/// classes which are not being updated go on moving. Here only, to follow their trace to its end.
class SharedAdam
{
public:
  explicit SharedAdam(const GaussianHead & head)
  : average_(torch::zeros_like(head.means)), average_sq_(torch::zeros_like(head.means))
  {
  }

  void update(GaussianHead & head, const MemoryBank & bank, const std::set<std::int64_t> & classes)
  {
    torch::NoGradGuard no_grad;
    for (const std::int64_t c : classes) {
      const auto [begin, end] = head.range_of(static_cast<int>(c));
      const torch::Tensor features = bank.contents(c).unsqueeze(0);  // [1, N, D]
      torch::Tensor priors = head.priors.slice(0, begin, end);
      for (int loop = 0; loop < 3; ++loop) {
        const torch::Tensor means = head.means.slice(0, begin, end).unsqueeze(0);
        const torch::Tensor responsibility =
          smoothed(responsibilities(features, means, priors.unsqueeze(0), 1), 0.1);
        torch::Tensor gradient = torch::zeros_like(head.means);
        const Assignments assigned = assignments(features, responsibility);
        gradient.slice(0, begin, end).copy_(mean_gradient(assigned, means, 1, 1)[0]);
        priors.mul_(0.99).add_(assigned.count.view({-1}) / features.size(1), 0.01);
        step(head.means, gradient);
      }
    }
  }

private:
  void step(torch::Tensor & means, const torch::Tensor & gradient)
  {
    ++steps_;
    average_.mul_(0.9).add_(gradient, 0.1);
    average_sq_.mul_(0.999).add_(gradient.square(), 0.001);
    const double size = 3e-3 / (1 - std::pow(0.9, steps_));
    const double scale = std::sqrt(1 - std::pow(0.999, steps_));
    means.sub_(size * average_ / (average_sq_.sqrt() / scale + 1e-8));
  }

  torch::Tensor average_, average_sq_;
  int steps_ = 0;
};

TEST_F(AuthorsTraceWithSharedFiles, WithTheirSharedAdamTheWholeTraceAgrees)
{
  TrainingConfig config = authors_config();
  config.schedule.frozen_backbone_epochs = 1;
  config.em.start = 1e9;  // EM is done here
  const auto subject = trainer(config);
  SharedAdam em(subject->network().gaussian_head());
  std::set<std::int64_t> touched;
  for (const auto & line : trace["warm_only"]["trace"]) {
    const int iteration = line["it"];
    expect_losses(step(*subject, iteration), line, 1e-4);
    for (int i = 0; i < 8; ++i) {
      touched.insert(labels[order[(iteration * 8 + i) % order.size()]]);
    }
    if (line["gmm"].get<bool>()) {
      em.update(subject->network().gaussian_head(), mixtures(*subject).memory(), touched);
      touched.clear();
      const std::string after = "_after_it" + std::to_string(iteration);
      EXPECT_LT(
        test::largest_difference(
          subject->network().gaussian_head().means, (*golden)["warm/means" + after].view({12, 16})),
        1e-4)
        << iteration;
      EXPECT_LT(
        test::largest_difference(
          subject->network().gaussian_head().priors, (*golden)["warm/priors" + after].view({12})),
        1e-4)
        << iteration;
    }
  }
}

TEST_F(AuthorsTraceWithSharedFiles, TheWholeTrainingGoesTheSameWayWithSgd)
{
  TrainingConfig config = authors_config();
  config.em.optimizer = EmConfig::Optimizer::sgd;
  const auto subject = trainer(config);
  double ours = 0, theirs = 0;
  const auto & lines = trace["sgd_prototypes"]["trace"];
  for (int i = 0; i < 30; ++i) {
    const StepReport report = step(*subject, i);
    if (i >= 20) {
      ours += report.ce / 10;
      theirs += lines[i]["L_ce"].get<double>() / 10;
    }
  }
  EXPECT_NEAR(ours, theirs, 0.15);
}

TrainingConfig small_training()
{
  TrainingConfig config;
  config.loss.mining_start = 0;
  config.loss.mining_levels = 3;
  config.em.memory = 6;
  config.em.start = 0;
  config.schedule.epochs = 4;
  config.seed = 5;
  return config;
}

std::shared_ptr<Network> even_network()
{
  torch::manual_seed(3);
  ModelConfig config = test::small_config();
  return std::make_shared<Network>(config, std::make_shared<GaussianHead>(3, 2, config.head));
}

std::pair<torch::Tensor, torch::Tensor> small_batch(int index)
{
  torch::manual_seed(100 + index);
  return {torch::randn({6, 3, 48, 48}), torch::tensor({0, 1, 2, 0, 1, 2}, torch::kInt64)};
}

void expect_same_state(const Trainer & a, const Trainer & b)
{
  const State left = a.state(), right = b.state();
  ASSERT_EQ(left.size(), right.size());
  for (const auto & [name, tensor] : left) {
    if (name != "optimizer") {  // its bytes hold addresses; its effect is seen in the next steps
      EXPECT_TRUE(tensor.equal(right.at(name))) << name;
    }
  }
}

TEST(TrainerTest, ASnapshotGoesOnBitForBit)
{
  const test::TemporaryDirectory directory;
  Trainer straight(small_training(), even_network());
  for (int i = 0; i < 3; ++i) {
    const auto [images, labels] = small_batch(i);
    straight.step(images, labels, 0.25 * i);
  }
  Snapshot snapshot;
  snapshot.state = straight.state();
  snapshot.position.epoch = 2;
  snapshot.position.batch = 7;
  snapshot.position.seconds = 1.5;
  write_snapshot(directory / ".", snapshot);

  torch::manual_seed(999);  // another start, all of which must be overwritten
  ModelConfig config = test::small_config();
  Trainer resumed(
    small_training(),
    std::make_shared<Network>(config, std::make_shared<GaussianHead>(3, 2, config.head)));
  const Snapshot read = read_snapshot(directory / ".");
  EXPECT_EQ(read.position.epoch, 2);
  EXPECT_EQ(read.position.batch, 7);
  EXPECT_EQ(read.position.seconds, 1.5);
  resumed.restore(read.state);

  for (int i = 3; i < 7; ++i) {
    const auto [images, labels] = small_batch(i);
    EXPECT_EQ(
      straight.step(images, labels, 0.25 * i).total, resumed.step(images, labels, 0.25 * i).total);
  }
  expect_same_state(straight, resumed);
}

std::map<std::string, torch::Tensor> copied_tensors(Network & network)
{
  std::map<std::string, torch::Tensor> copies;
  for (const auto & [name, tensor] : checkpoint_tensors(network)) {
    copies[name] = tensor.clone();
  }
  return copies;
}

TEST(TrainerTest, FrozenStagesKeepWeightsAndStatisticsAndTheRestLearns)
{
  TrainingConfig config = small_training();
  config.network.model = test::small_config();
  config.schedule.frozen_stages = 2;  // stem and first stage
  const auto network = even_network();
  Trainer trainer(config, network);
  std::map<std::string, torch::Tensor> before = copied_tensors(*network);

  const auto [images, labels] = small_batch(0);
  trainer.step(images, labels, 0);

  for (const auto & [name, tensor] : checkpoint_tensors(*network)) {
    const bool frozen = name.rfind("backbone.conv1", 0) == 0 ||
                        name.rfind("backbone.bn1", 0) == 0 || name.rfind("backbone.layer1", 0) == 0;
    if (name.rfind("backbone.", 0) == 0) {
      EXPECT_EQ(tensor.equal(before[name]), frozen) << name;
    }
  }
  ModelConfig vgg;
  vgg.backbone.architecture = "vgg16";
  const auto without_stages =
    std::make_shared<Network>(vgg, std::make_shared<GaussianHead>(3, 2, vgg.head));
  EXPECT_THROW(Trainer(config, without_stages), ConfigError);
}

TEST(TrainerTest, FrozenStatisticsStayWhileWeightsLearn)
{
  TrainingConfig config = small_training();
  config.network.model = test::small_config();
  config.schedule.frozen_statistics = true;
  const auto network = even_network();
  Trainer trainer(config, network);
  std::map<std::string, torch::Tensor> before = copied_tensors(*network);

  const auto [images, labels] = small_batch(0);
  trainer.step(images, labels, 0);

  int statistics = 0;
  bool learnt = false;
  for (const auto & [name, tensor] : checkpoint_tensors(*network)) {
    if (name.find("running_") != std::string::npos) {
      EXPECT_TRUE(tensor.equal(before[name])) << name;
      ++statistics;
    }
    learnt = learnt || (name == "backbone.layer4.0.conv1.weight" && !tensor.equal(before[name]));
  }
  EXPECT_GT(statistics, 0);
  EXPECT_TRUE(learnt);
}

TEST(AuxiliaryHeadTest, StartsAtTheClassesMeansAsSeenFromTheMeanOfAll)
{
  AuxiliaryHead auxiliary(2, 2, LossConfig());
  Whitening whitening;
  whitening.mean = torch::tensor({10.0f, 20.0f});
  whitening.pooled_means = torch::tensor({{11.0f, 20.0f}, {9.0f, 20.0f}});
  auxiliary.start_at(whitening);

  EXPECT_TRUE(auxiliary.proxies.equal(torch::tensor({{1.0f, 0.0f}, {-1.0f, 0.0f}})));
  const torch::Tensor z = torch::tensor({12.0f, 23.0f}).view({1, 2, 1, 1});
  EXPECT_TRUE(auxiliary.forward(z).equal(torch::tensor({{2.0f, 3.0f}})));
}

TEST(TrainerTest, WhatFrozenStagesMakeOfAPictureIsComputedOnce)
{
  TrainingConfig config = small_training();
  config.schedule.frozen_stages = 3;
  Trainer once(config, even_network());
  config.schedule.frozen_cache_megabytes = 0;
  Trainer again(config, even_network());
  once.restore(again.state());
  for (int i = 0; i < 4; ++i) {
    const auto [images, labels] = small_batch(i % 2);
    std::vector<std::int64_t> views;
    for (std::int64_t b = 0; b < images.size(0); ++b) {
      views.push_back(b + (i % 2) * images.size(0));
    }
    again.step(images, labels, i, views);
    // Pictures that are known need not be shown.
    once.step(i < 2 ? images : torch::zeros_like(images), labels, i, views);
  }
  expect_same_state(again, once);
}

TEST(TrainerTest, FrozenStagesKeepNoMoreThanTheyMay)
{
  const auto network = even_network();
  network->eval();
  const torch::NoGradGuard no_grad;
  const torch::Tensor images = small_batch(0).first.slice(0, 0, 3);
  auto & backbone = dynamic_cast<StagedBackbone &>(network->backbone());
  const torch::Tensor one = backbone.forward_stages(images.slice(0, 0, 1), 0, 2);
  FrozenStages frozen(*network, 2, 2 * one.numel() * one.element_size());

  const torch::Tensor z = frozen.backbone_map(images, {4, 5, 6});

  EXPECT_EQ(frozen.kept(), 2u);
  EXPECT_LT(test::largest_difference(z, network->backbone_map(images)), 1e-5);
  EXPECT_TRUE(frozen.backbone_map(images, {4, 5, 6}).equal(z));
  EXPECT_LT(test::largest_difference(frozen.backbone_map(images, {}), z), 1e-5);
  EXPECT_EQ(frozen.kept(), 2u);
}

TEST(TrainerTest, TheSameSeedGivesTheSameTraining)
{
  Trainer a(small_training(), even_network());
  Trainer b(small_training(), even_network());
  // Proxies are drawn behind the network's weights, so both start alike.
  b.restore(a.state());
  for (int i = 0; i < 4; ++i) {
    const auto [images, labels] = small_batch(i);
    a.step(images, labels, i);
    b.step(images, labels, i);
  }
  expect_same_state(a, b);
}

TEST(TrainerTest, AFrozenBackboneStaysAsItIs)
{
  TrainingConfig config = small_training();
  config.schedule.frozen_backbone_epochs = 1;
  Trainer trainer(config, even_network());
  const auto weight = [&](const char * name) {
    return trainer.network().named_parameters()[name].detach().clone();
  };
  const torch::Tensor backbone = weight("backbone.layer1.0.conv1.weight");
  const torch::Tensor add_on = weight("add_on.0.weight");
  const auto [images, labels] = small_batch(0);
  trainer.step(images, labels, 0.5);
  EXPECT_TRUE(backbone.equal(weight("backbone.layer1.0.conv1.weight")));
  EXPECT_FALSE(add_on.equal(weight("add_on.0.weight")));
  trainer.step(images, labels, 1.0);
  EXPECT_FALSE(backbone.equal(weight("backbone.layer1.0.conv1.weight")));
}

TEST(TrainerTest, ALossThatIsNotFiniteStopsBeforeAnythingChanges)
{
  Trainer trainer(small_training(), even_network());
  auto [images, labels] = small_batch(0);
  images[0][0][0][0] = NAN;
  const torch::Tensor before =
    trainer.network().named_parameters()["add_on.0.weight"].detach().clone();
  EXPECT_THROW(trainer.step(images, labels, 0), NonFiniteLoss);
  EXPECT_TRUE(before.equal(trainer.network().named_parameters()["add_on.0.weight"]));
}

TEST(Schedule, StepsListsAndCosine)
{
  TrainingConfig config;
  EXPECT_DOUBLE_EQ(rates_at(config, 14.9).backbone, 1e-4);
  EXPECT_DOUBLE_EQ(rates_at(config, 15).add_on, 3e-3 * 0.4);
  EXPECT_DOUBLE_EQ(rates_at(config, 44).em, 3e-3 * 0.4 * 0.4);
  config.schedule.decay_at = {30, 45, 60, 75, 90};
  EXPECT_DOUBLE_EQ(rates_at(config, 29).proxies, 1e-2);
  EXPECT_DOUBLE_EQ(rates_at(config, 46).proxies, 1e-2 * 0.4 * 0.4);
  config.schedule.decay = ScheduleConfig::Decay::cosine;
  EXPECT_DOUBLE_EQ(rates_at(config, 60).proxies, 0.5e-2);
  EXPECT_NEAR(rates_at(config, 120).proxies, 0, 1e-12);
}

}  // namespace
}  // namespace mgproto
