// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Every architecture: parameter counts (torchvision's, less its classifier), shapes of the map,
// folding of batch-norms; the variants; the errors of a wrong config.

#include <gtest/gtest.h>

#include "golden.hpp"
#include "mgproto_ros/error.hpp"
#include "model/backbone.hpp"
#include "model/backbones/staged_backbone.hpp"
#include "model/network.hpp"

namespace mgproto
{
namespace
{

std::int64_t parameter_count(torch::nn::Module & module)
{
  std::int64_t count = 0;
  for (const auto & parameter : module.parameters()) {
    count += parameter.defined() ? parameter.numel() : 0;
  }
  return count;
}

BackboneConfig config_of(const std::string & architecture)
{
  BackboneConfig config;
  config.architecture = architecture;
  return config;
}

/// Batch-norm statistics as after training, so that folding has something to do.
void randomise_statistics(torch::nn::Module & module)
{
  torch::NoGradGuard no_grad;
  for (auto & child : module.modules()) {
    if (auto * norm = child->as<torch::nn::BatchNorm2d>()) {
      norm->running_mean.normal_(0, 0.1);
      norm->running_var.uniform_(0.5, 1.5);
      norm->weight.uniform_(0.5, 1.5);
      norm->bias.normal_(0, 0.1);
    }
  }
}

struct Known
{
  const char * architecture;
  std::int64_t parameters;
  std::int64_t channels;
};

class EveryArchitecture : public ::testing::TestWithParam<Known>
{
};

TEST_P(EveryArchitecture, HasTheKnownParametersShapesAndFoldsItsNorms)
{
  torch::manual_seed(1);
  auto backbone = make_backbone(config_of(GetParam().architecture));
  EXPECT_EQ(parameter_count(*backbone), GetParam().parameters);
  EXPECT_EQ(backbone->channels(), GetParam().channels);

  randomise_statistics(*backbone);
  backbone->eval();
  torch::NoGradGuard no_grad;
  const torch::Tensor image = torch::randn({1, 3, 64, 80});
  const torch::Tensor map = backbone->forward(image);
  EXPECT_EQ(map.sizes(), c10::IntArrayRef({1, GetParam().channels, 4, 5}));  // stride 16

  backbone->fold_batch_norms();
  EXPECT_LT(test::relative_difference(backbone->forward(image), map), 1e-4);
  backbone->fold_batch_norms();  // a second time changes nothing
  EXPECT_LT(test::relative_difference(backbone->forward(image), map), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(
  Backbones, EveryArchitecture,
  ::testing::Values(
    Known{"vgg16", 14714688, 512}, Known{"vgg16_bn", 14723136, 512}, Known{"vgg19", 20024384, 512},
    Known{"vgg19_bn", 20035392, 512}, Known{"resnet18", 11176512, 512},
    Known{"resnet34", 21284672, 512}, Known{"resnet50", 23508032, 2048},
    Known{"resnet101", 42500160, 2048}, Known{"resnet152", 58143808, 2048},
    Known{"densenet121", 6953856, 1024}, Known{"densenet161", 26472000, 2208}),
  [](const auto & tested) { return std::string(tested.param.architecture); });

TEST(Backbones, AreAllTestedAbove) { EXPECT_EQ(architectures().size(), 11u); }

TEST(Backbones, GiveAMapOf14At224)
{
  torch::NoGradGuard no_grad;
  auto backbone = make_backbone(config_of("resnet18"));
  EXPECT_EQ(
    backbone->forward(torch::zeros({1, 3, 224, 224})).sizes(), c10::IntArrayRef({1, 512, 14, 14}));
}

TEST(Backbones, KeepThePoolWhenAsked)
{
  torch::NoGradGuard no_grad;
  for (const char * architecture : {"vgg16", "resnet18", "densenet121"}) {
    BackboneConfig config = config_of(architecture);
    config.stem_pool = true;
    const torch::Tensor map = make_backbone(config)->forward(torch::zeros({1, 3, 64, 64}));
    EXPECT_EQ(map.size(2), 2) << architecture;  // stride 32
  }
}

BackboneConfig config_of(const std::string & architecture, BackboneConfig::Map map)
{
  BackboneConfig config = config_of(architecture);
  config.map = map;
  config.stem_pool = architecture.rfind("vgg", 0) != 0;
  return config;
}

TEST(Backbones, DilatedHasTheMapOfTheStageBeforeAtTwiceTheResolution)
{
  torch::NoGradGuard no_grad;
  using Map = BackboneConfig::Map;
  for (const char * architecture : {"vgg16_bn", "resnet18", "resnet50", "densenet121"}) {
    const auto last = make_backbone(config_of(architecture, Map::last));
    const auto dilated = make_backbone(config_of(architecture, Map::dilated));
    const auto penultimate = make_backbone(config_of(architecture, Map::penultimate));
    const torch::Tensor image = torch::zeros({1, 3, 96, 64});
    const torch::Tensor map = last->forward(image);
    const torch::Tensor finer = dilated->forward(image);

    EXPECT_EQ(finer.size(1), map.size(1)) << architecture;
    EXPECT_EQ(finer.size(2), 2 * map.size(2)) << architecture;
    EXPECT_EQ(finer.size(3), 2 * map.size(3)) << architecture;
    EXPECT_EQ(parameter_count(*dilated), parameter_count(*last)) << architecture;
    EXPECT_EQ(penultimate->forward(image).size(2), finer.size(2)) << architecture;
    EXPECT_EQ(penultimate->forward(image).size(1), penultimate->channels()) << architecture;
    EXPECT_LT(parameter_count(*penultimate), parameter_count(*last)) << architecture;
  }
}

/// Gives `to` the weights of the same names in `from`.
void copy_weights(torch::nn::Module & from, torch::nn::Module & to)
{
  torch::NoGradGuard no_grad;
  const auto parameters = from.named_parameters();
  for (auto & parameter : to.named_parameters()) {
    parameter.value().copy_(parameters[parameter.key()]);
  }
  const auto buffers = from.named_buffers();
  for (auto & buffer : to.named_buffers()) {
    buffer.value().copy_(buffers[buffer.key()]);
  }
}

TEST(Backbones, EverySecondPlaceOfADilatedMapIsThePublishedOne)
{
  torch::NoGradGuard no_grad;
  for (const char * architecture : {"resnet50", "densenet121"}) {
    torch::manual_seed(1);
    const auto last = make_backbone(config_of(architecture, BackboneConfig::Map::last));
    randomise_statistics(*last);
    const auto dilated = make_backbone(config_of(architecture, BackboneConfig::Map::dilated));
    copy_weights(*last, *dilated);
    last->eval();
    dilated->eval();
    const torch::Tensor image = torch::randn({1, 3, 128, 128});
    const torch::Tensor finer = dilated->forward(image);
    const torch::Tensor thinned = finer.slice(2, 0, c10::nullopt, 2).slice(3, 0, c10::nullopt, 2);
    EXPECT_LT(test::relative_difference(thinned, last->forward(image)), 1e-5) << architecture;
    EXPECT_GT(
      test::relative_difference(
        finer.slice(2, 1, c10::nullopt, 2).slice(3, 1, c10::nullopt, 2), thinned),
      1e-3)
      << architecture;
  }
}

TEST(Backbones, ThePenultimateMapIsTheOneThatTheLastStageReads)
{
  torch::NoGradGuard no_grad;
  torch::manual_seed(1);
  const auto whole = make_backbone(config_of("resnet18", BackboneConfig::Map::last));
  const auto cut = make_backbone(config_of("resnet18", BackboneConfig::Map::penultimate));
  copy_weights(*whole, *cut);
  whole->eval();
  cut->eval();
  const torch::Tensor image = torch::randn({1, 3, 64, 64});
  auto & staged = dynamic_cast<StagedBackbone &>(*whole);
  EXPECT_TRUE(torch::equal(cut->forward(image), staged.forward_stages(image, 0, 4)));
}

TEST(Backbones, AHypercolumnHasThePenultimateMapAndTheDilatedOne)
{
  torch::NoGradGuard no_grad;
  using Map = BackboneConfig::Map;
  for (const char * architecture : {"vgg16_bn", "resnet18", "resnet50"}) {
    torch::manual_seed(1);
    const auto hypercolumn = make_backbone(config_of(architecture, Map::hypercolumn));
    randomise_statistics(*hypercolumn);
    const auto dilated = make_backbone(config_of(architecture, Map::dilated));
    const auto penultimate = make_backbone(config_of(architecture, Map::penultimate));
    copy_weights(*hypercolumn, *dilated);
    copy_weights(*hypercolumn, *penultimate);
    for (const auto & backbone : {hypercolumn, dilated, penultimate}) {
      backbone->eval();
    }
    const torch::Tensor image = torch::randn({1, 3, 96, 64});
    const torch::Tensor map = hypercolumn->forward(image);
    EXPECT_EQ(map.size(1), hypercolumn->channels()) << architecture;
    EXPECT_TRUE(
      torch::equal(map, torch::cat({penultimate->forward(image), dilated->forward(image)}, 1)))
      << architecture;
  }
  EXPECT_THROW(make_backbone(config_of("densenet121", Map::hypercolumn)), ConfigError);
}

TEST(Backbones, CifarStemLeavesSmallImagesTheirPixels)
{
  torch::NoGradGuard no_grad;
  BackboneConfig config = config_of("resnet18");
  config.stem = "cifar";
  auto backbone = make_backbone(config);
  EXPECT_EQ(backbone->named_parameters()["conv1.weight"].sizes(), c10::IntArrayRef({64, 3, 3, 3}));
  EXPECT_EQ(backbone->forward(torch::zeros({1, 3, 32, 32})).size(2), 4);
}

TEST(Backbones, StagesAndWidthChangeTheNetwork)
{
  BackboneConfig config = config_of("resnet50");
  config.stages = {3, 4, 6, 4};
  EXPECT_TRUE(make_backbone(config)->named_parameters().contains("layer4.3.conv3.weight"));

  config = config_of("resnet18");
  config.width = 0.25;
  EXPECT_EQ(make_backbone(config)->channels(), 128);
}

TEST(Backbones, TheStridesPlaceChangesTheOutputNotTheShape)
{
  torch::NoGradGuard no_grad;
  BackboneConfig config = config_of("resnet50");
  torch::manual_seed(1);
  auto torchvision = make_backbone(config);
  config.stride_in_1x1 = true;
  torch::manual_seed(1);
  auto original = make_backbone(config);
  torchvision->eval();
  original->eval();
  const torch::Tensor image = torch::randn({1, 3, 64, 64});

  const torch::Tensor a = torchvision->forward(image);
  const torch::Tensor b = original->forward(image);

  EXPECT_EQ(a.sizes(), b.sizes());
  EXPECT_GT(test::relative_difference(b, a), 1e-2);
}

TEST(Backbones, UpsamplingDoublesTheMap)
{
  torch::NoGradGuard no_grad;
  ModelConfig config;
  config.backbone = config_of("resnet18");
  config.backbone.stem_pool = true;
  config.backbone.upsample = 2;
  Network network(config, nullptr);
  EXPECT_EQ(network.backbone_map(torch::zeros({1, 3, 64, 64})).size(2), 4);
}

TEST(Backbones, TheEarlyMapIsAResNetsFirstStageAndTheSamePacked)
{
  torch::NoGradGuard no_grad;
  ModelConfig config;
  config.backbone = config_of("resnet18");
  config.backbone.width = 0.25;
  Network network(config, nullptr);
  network.eval();
  const torch::Tensor images = torch::randn({2, 3, 64, 64});

  const torch::Tensor map = network.early_map(images);

  EXPECT_EQ(map.sizes(), (std::vector<std::int64_t>{2, 16, 32, 32}));
  network.prepare_for_inference();
  network.pack_for_cpu();
  EXPECT_LT(test::largest_difference(network.early_map(images), map), 1e-4);
  config.backbone = config_of("vgg16");
  EXPECT_FALSE(Network(config, nullptr, Weights::unset).early_map(images).defined());
}

TEST(Backbones, AnImageTooSmallIsAnImageError)
{
  torch::NoGradGuard no_grad;
  ModelConfig config;
  config.backbone = config_of("vgg16");
  Network network(config, nullptr);
  EXPECT_THROW(network.backbone_map(torch::zeros({1, 3, 8, 8})), ImageError);
  EXPECT_EQ(network.backbone_map(torch::zeros({1, 3, 16, 16})).size(3), 1);
}

TEST(Backbones, AWrongConfigNamesItsKey)
{
  const auto key_of = [](const BackboneConfig & config) -> std::string {
    try {
      make_backbone(config);
    } catch (const ConfigError & error) {
      return error.key();
    }
    return "no error";
  };
  BackboneConfig config = config_of("alexnet");
  EXPECT_EQ(key_of(config), "backbone.architecture");
  config = config_of("vgg16");
  config.width = 0.5;
  EXPECT_EQ(key_of(config), "backbone.width");
  config = config_of("densenet121");
  config.stem = "cifar";
  EXPECT_EQ(key_of(config), "backbone.stem");
  config = config_of("resnet34");
  config.stride_in_1x1 = true;
  EXPECT_EQ(key_of(config), "backbone.stride_in_1x1");
  config = config_of("resnet18");
  config.stages = {1, 1, 1};
  EXPECT_EQ(key_of(config), "backbone.stages");
  config = config_of("resnet18");
  config.width = 1e9;
  EXPECT_EQ(key_of(config), "backbone.width");
  config = config_of("resnet18");
  config.upsample = 0;
  EXPECT_EQ(key_of(config), "backbone.upsample");
}

}  // namespace
}  // namespace mgproto
