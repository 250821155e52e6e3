// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The two baseline heads on numbers worked out by hand, and as checkpoints.

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "mgproto_ros/error.hpp"
#include "mgproto_ros/recognizer.hpp"
#include "model/checkpoint.hpp"
#include "model/heads/make_head.hpp"
#include "model/heads/protopnet_head.hpp"
#include "model/heads/softmax_head.hpp"
#include "small_model.hpp"
#include "temporary_directory.hpp"

namespace mgproto
{
namespace
{

TEST(SoftmaxHead, IsALinearLayerOnTheMeanOfTheMap)
{
  const torch::NoGradGuard no_grad;
  SoftmaxHead head(2);
  head.set_input_channels(2);
  head.weight.copy_(torch::tensor({{1.0, 0.0}, {0.5, 2.0}}));
  head.bias.copy_(torch::tensor({0.0, 1.0}));
  // Means over two positions: 2 and 3.
  const torch::Tensor map = torch::tensor({{{{1.0f, 3.0f}}, {{2.0f, 4.0f}}}});

  const torch::Tensor logits = head.logits(map);

  EXPECT_FLOAT_EQ(logits[0][0].item<float>(), 2);          // 1 * 2
  EXPECT_FLOAT_EQ(logits[0][1].item<float>(), 1 + 6 + 1);  // 0.5 * 2 + 2 * 3 + 1
}

class ProtoPNet : public ::testing::Test
{
protected:
  ProtoPNet() { head.means.copy_(torch::tensor({{0.0f}, {1.0f}})); }

  const torch::NoGradGuard no_grad;
  ProtoPNetHead head{{0, 1}, 1};
  // Two positions: squared distances to the prototypes 0.25 and 1, 0.25 and 0.
  torch::Tensor features = torch::tensor({{{0.5f, 1.0f}}});
  // log((d^2 + 1) / (d^2 + 1e-4)) at the nearer position of each.
  double first = std::log(1.25 / 0.2501);
  double second = std::log(1 / 1e-4);
};

TEST_F(ProtoPNet, SimilarityGrowsWithNearness)
{
  const torch::Tensor maps = head.similarity_maps(features, head.means);
  EXPECT_NEAR(maps[0][0][0].item<double>(), first, 1e-5);
  EXPECT_NEAR(maps[0][0][1].item<double>(), std::log(2 / 1.0001), 1e-5);
  EXPECT_NEAR(maps[0][1][1].item<double>(), second, 1e-3);
}

TEST_F(ProtoPNet, ConnectsOnesOwnClassWithOneAndOthersWithMinusOneHalf)
{
  const torch::Tensor logits = head.logits(features);
  EXPECT_NEAR(logits[0][0].item<double>(), first - 0.5 * second, 1e-3);
  EXPECT_NEAR(logits[0][1].item<double>(), second - 0.5 * first, 1e-3);
}

TEST_F(ProtoPNet, ContributionsAreSharesOfTheClassesPoints)
{
  ProtoPNetHead two({0, 0, 1}, 1);
  const torch::Tensor share = two.contributions(torch::tensor({{1.0f, 3.0f, 5.0f}}))[0];
  EXPECT_FLOAT_EQ(share[0].item<float>(), 0.25);
  EXPECT_FLOAT_EQ(share[1].item<float>(), 0.75);
  EXPECT_FLOAT_EQ(share[2].item<float>(), 1);
}

TEST_F(ProtoPNet, FeaturesBehindAWideBackboneAreNotSaturated)
{
  torch::manual_seed(3);
  ModelConfig config = test::small_config();
  config.backbone.width = 1;  // 512 channels for 8 features
  config.head.kind = "protopnet";
  Network network(config, make_head(config.head, 2, {0, 1}));
  const torch::Tensor map = torch::randn({8, network.backbone().channels(), 8, 8}).relu();

  const torch::Tensor seen = network.features(map);

  EXPECT_GT(seen.sub(0.5).abs().lt(0.45).to(torch::kFloat32).mean().item<double>(), 0.9);
}

class HeadsInFiles : public ::testing::TestWithParam<std::string>
{
};

TEST_P(HeadsInFiles, ComeBackWithTheSameLogitsAndAreRefusedByTheRecognizer)
{
  const test::TemporaryDirectory directory;
  ModelConfig config = test::small_config();
  config.head.kind = GetParam();
  torch::manual_seed(4);
  Network network(config, make_head(config.head, 3, {0, 0, 1, 2}));
  network.eval();
  Manifest manifest = test::small_manifest();
  manifest.stage = Stage::trained;

  save_checkpoint(directory / "m.safetensors", network, manifest);
  const Checkpoint loaded = load_checkpoint(directory / "m.safetensors");
  loaded.network->eval();

  const torch::Tensor images = torch::randn({2, 3, 48, 48});
  const auto logits = [&](Network & of) {
    return of.head().logits(of.features(of.backbone_map(images)));
  };
  EXPECT_TRUE(logits(network).equal(logits(*loaded.network)));
  EXPECT_FALSE(loaded.network->has_density());
  EXPECT_THROW(loaded.network->gaussian_head(), ConfigError);
  try {
    Recognizer recognizer(directory / "m.safetensors");
    FAIL() << "no error";
  } catch (const FileError & error) {
    EXPECT_NE(std::string(error.what()).find("'" + GetParam() + "'"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("no p(x)"), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(Baselines, HeadsInFiles, ::testing::Values("softmax", "protopnet"));

/// As little as a head can be.
class PlainHead : public Head
{
public:
  int classes() const override { return 1; }
  torch::Tensor logits(
    const torch::Tensor & features, const torch::Tensor & /*whole*/) const override
  {
    return features.flatten(1).mean(1, /*keepdim=*/true);
  }
};

TEST(Network, LeavesToTheHeadWhatFollowsTheAddOn)
{
  const torch::NoGradGuard no_grad;
  const ModelConfig config = test::small_config();
  Network plain(config, std::make_shared<PlainHead>());
  Network mixtures(config, make_head(config.head, 2, {0, 1}));
  const torch::Tensor z = torch::randn({1, plain.backbone().channels(), 3, 3});
  const auto parameters = plain.named_parameters();
  const auto convolved = [&](const torch::Tensor & x, const std::string & name) {
    return torch::conv2d(x, parameters[name + ".weight"], parameters[name + ".bias"]);
  };

  EXPECT_TRUE(plain.features(z).equal(convolved(convolved(z, "add_on.0"), "add_on.1")));
  EXPECT_TRUE(mixtures.features(z).norm(2, 1).allclose(torch::ones({1, 3, 3})));
}

TEST(Network, KnowsWhatItsHeadCanDo)
{
  const auto network = [](const char * kind) {
    ModelConfig config = test::small_config();
    config.head.kind = kind;
    return std::make_shared<Network>(config, make_head(config.head, 2, {0, 0, 1}));
  };
  const auto mgproto = network("mgproto");
  EXPECT_TRUE(mgproto->has_density());
  EXPECT_EQ(&mgproto->gaussian_head(), mgproto->prototype_head());
  EXPECT_FALSE(mgproto->prototype_head()->last_layer().defined());
  EXPECT_FALSE(mgproto->head().linear_layer());

  const auto protopnet = network("protopnet");
  EXPECT_FALSE(protopnet->has_density());
  EXPECT_EQ(protopnet->prototype_head()->last_layer().sizes(), (std::vector<std::int64_t>{2, 3}));
  EXPECT_FALSE(protopnet->head().linear_layer());

  const auto softmax = network("softmax");
  EXPECT_FALSE(softmax->has_density());
  EXPECT_EQ(softmax->prototype_head(), nullptr);
  const torch::Tensor z = torch::randn({2, softmax->backbone().channels(), 3, 3});
  const auto layer = softmax->head().linear_layer();
  ASSERT_TRUE(layer);
  EXPECT_TRUE(softmax->head().logits(z).allclose(
    torch::matmul(z.mean({2, 3}), layer->weight.t()) + layer->bias, 1e-4, 1e-5));
}

TEST(MakeHead, NamesAnUnknownKind)
{
  HeadConfig config;
  config.kind = "svm";
  EXPECT_THROW(make_head(config, 2, {0, 1}), ConfigError);
}

}  // namespace
}  // namespace mgproto
