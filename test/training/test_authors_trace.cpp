// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// A whole training of a small ResNet18 against what the MGProto authors' code does with it
// (golden/g_small_trace.json): logits, losses and gradients of the first step, then losses, memory
// and mixtures of twelve. Their means move by plain SGD here, which has none of the drift that
// their one Adam for all classes has. Tolerances are ten times what their float32 and float64
// differ by.

#include <gtest/gtest.h>

#include <cmath>

#include "golden.hpp"
#include "model/checkpoint.hpp"
#include "model/import.hpp"
#include "temporary_directory.hpp"
#include "training/learn/mixture_method.hpp"
#include "training/learn/trainer.hpp"

namespace mgproto
{
namespace
{

class AuthorsSmallTrace : public ::testing::Test
{
protected:
  AuthorsSmallTrace()
  {
    ImportOptions options;
    options.preprocessing.size = golden.meta()["size"];
    import_state_dict(
      test::test_data("models/small_zip.pth"), directory / "small.safetensors", options);
  }

  std::unique_ptr<Trainer> trainer(int frozen_backbone_epochs)
  {
    TrainingConfig config;  // the paper's constants
    config.loss.mining_levels = golden.meta()["T"];
    config.loss.mining_start = 0;
    config.loss.aux_embedding = 4;
    config.loss.aux_freeze_embedding = true;
    config.em.memory = golden.meta()["capacity"];
    config.em.start = 0;
    config.em.wait_for_all = true;
    config.em.optimizer = EmConfig::Optimizer::sgd;
    config.schedule.decay_every = 1000000;
    config.schedule.frozen_backbone_epochs = frozen_backbone_epochs;
    auto result =
      std::make_unique<Trainer>(config, load_checkpoint(directory / "small.safetensors").network);
    torch::NoGradGuard no_grad;
    AuxiliaryHead & auxiliary = method(*result).auxiliary();
    auxiliary.proxies.copy_(golden.input("proxies"));
    auxiliary.embedding_weight.copy_(golden.input("embedding_weight"));
    auxiliary.embedding_bias.copy_(golden.input("embedding_bias"));
    return result;
  }

  static MixtureMethod & method(Trainer & trainer)
  {
    return dynamic_cast<MixtureMethod &>(trainer.method());
  }

  /// Images [B, 3, S, S] and labels [B] of an iteration, drawn as the fixture's meta.pixel says.
  std::pair<torch::Tensor, torch::Tensor> batch(int iteration) const
  {
    const nlohmann::json & meta = golden.meta();
    const int size = meta["size"], count = meta["batch"], all = meta["images"];
    torch::Tensor images = torch::empty({count, 3, size, size});
    torch::Tensor labels = torch::empty({count}, torch::kInt64);
    auto pixels = images.accessor<float, 4>();
    for (int k = 0; k < count; ++k) {
      const int i = meta["order"][(iteration * count + k) % all];
      const int label = meta["labels"][i];
      labels[k] = label;
      for (int c = 0; c < 3; ++c) {
        for (int y = 0; y < size; ++y) {
          for (int x = 0; x < size; ++x) {
            pixels[k][c][y][x] = static_cast<float>(
              std::sin(1.3 * i + 0.7 * c + 0.4 * x * (1 + label) + 0.25 * y + 0.02 * x * y));
          }
        }
      }
    }
    return {images, labels};
  }

  void expect_trace(Trainer & subject, const nlohmann::json & lines)
  {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      SCOPED_TRACE(i);
      const nlohmann::json & line = lines[i];
      const auto [images, labels] = batch(static_cast<int>(i));
      const StepReport report = subject.step(images, labels, 0);
      EXPECT_NEAR(report.ce, line["L_ce"].get<double>(), 4e-5);
      EXPECT_NEAR(report.mining, line["L_mine"].get<double>(), 4e-5);
      EXPECT_NEAR(report.aux, line["L_aux"].get<double>(), 4e-4);
      for (std::int64_t c = 0; c < 3; ++c) {
        EXPECT_EQ(method(subject).memory().size(c), line["mem_len"][c].get<std::int64_t>());
      }
      ASSERT_EQ(report.em_classes > 0, line["gmm"].get<bool>());
      if (line["gmm"].get<bool>()) {
        const GaussianHead & head = subject.network().gaussian_head();
        EXPECT_LT(
          test::largest_difference(head.means, test::tensor_of(line["means"], {6, 8})), 4e-6);
        EXPECT_LT(
          test::largest_difference(head.priors, test::tensor_of(line["priors"], {6})), 4e-6);
      }
    }
  }

  test::JsonCase golden{"g_small_trace.json"};
  nlohmann::json traces =
    test::read_json(test::test_data("golden/g_small_trace.json")).at("traces");
  test::TemporaryDirectory directory;
};

TEST_F(AuthorsSmallTrace, LogitsOfEveryLevelAgreeInTheFirstStep)
{
  const auto subject = trainer(0);
  const auto [images, labels] = batch(0);
  torch::NoGradGuard no_grad;
  Network & network = subject->network();
  network.train();  // batch statistics, as in their step

  const GaussianHead & head = network.gaussian_head();
  const torch::Tensor levels =
    top_levels(head.log_likelihood_maps(network.features(network.backbone_map(images))), 3).first;

  const torch::Tensor expected = golden.output("logits");  // [B, C, T]
  for (int t = 0; t < 3; ++t) {
    // Only the true class goes down its levels.
    const torch::Tensor own = torch::one_hot(labels, 3).to(torch::kBool);
    const torch::Tensor logits = torch::where(
      own, head.log_class_density(levels.select(2, t)),
      head.log_class_density(levels.select(2, 0)));
    EXPECT_LT(test::largest_difference(logits, expected.select(2, t)), 7e-5);
  }
}

TEST_F(AuthorsSmallTrace, GradientsOfTheFirstStepAgree)
{
  const auto subject = trainer(0);
  const auto [images, labels] = batch(0);

  subject->step(images, labels, 0);

  const auto parameters = subject->network().named_parameters();
  for (const auto & [ours, theirs] : std::map<std::string, std::string>{
         {"backbone.conv1.weight", "features.conv1.weight"},
         {"backbone.layer2.1.bn1.weight", "features.layer2.1.bn1.weight"},
         {"backbone.layer4.0.downsample.0.weight", "features.layer4.0.downsample.0.weight"},
         {"backbone.layer4.1.bn2.bias", "features.layer4.1.bn2.bias"},
         {"add_on.0.weight", "add_on_layers.0.weight"},
         {"add_on.0.bias", "add_on_layers.0.bias"},
         {"add_on.1.weight", "add_on_layers.1.weight"},
         {"add_on.1.bias", "add_on_layers.1.bias"}}) {
    EXPECT_LT(
      test::relative_difference(parameters[ours].grad(), golden.output("grad/" + theirs)), 9e-5)
      << ours;
  }
  EXPECT_LT(
    test::relative_difference(
      method(*subject).auxiliary().proxies.grad(), golden.output("grad/proxies")),
    9e-5);
}

TEST_F(AuthorsSmallTrace, TwelveStepsAgree) { expect_trace(*trainer(0), traces.at("joint")); }

TEST_F(AuthorsSmallTrace, TwelveStepsWithAFrozenBackboneAgree)
{
  expect_trace(*trainer(1), traces.at("frozen_backbone"));
}

}  // namespace
}  // namespace mgproto
