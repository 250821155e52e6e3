// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks to files and back, and what a file can be wrong about once the network is known.
// Defects of container and manifest: test_safetensors.cpp, test_checkpoint_file.cpp.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "golden.hpp"
#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/checkpoint_file.hpp"
#include "model/shared_backbone.hpp"
#include "small_model.hpp"
#include "temporary_directory.hpp"

namespace mgproto
{
namespace
{

std::string error_of(const std::function<void()> & action)
{
  try {
    action();
  } catch (const FileError & error) {
    return error.what();
  }
  return "no error";
}

TEST(Checkpoint, ANetworkComesBackBitForBit)
{
  const test::TemporaryDirectory directory;
  const std::string path = directory / "model.safetensors";
  const auto network = test::small_network();
  network->gaussian_head().class_priors.copy_(torch::tensor({0.5, 0.25, 0.25}));
  save_checkpoint(path, *network, test::small_manifest());

  const Checkpoint loaded = load_checkpoint(path);

  const auto before = checkpoint_tensors(*network);
  const auto after = checkpoint_tensors(*loaded.network);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].first, after[i].first);
    EXPECT_TRUE(before[i].second.equal(after[i].second)) << before[i].first;
  }
  EXPECT_EQ(loaded.manifest.class_priors, (std::vector<double>{0.5, 0.25, 0.25}));
  EXPECT_FLOAT_EQ(loaded.network->gaussian_head().class_priors[0].item<float>(), 0.5);
}

TEST(Checkpoint, SavingTwiceGivesTheSameBytes)
{
  const test::TemporaryDirectory directory;
  const auto network = test::small_network();
  save_checkpoint(directory / "a", *network, test::small_manifest());
  save_checkpoint(directory / "b", *network, test::small_manifest());
  const auto read = [&](const std::string & path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_EQ(read(directory / "a"), read(directory / "b"));
}

TEST(Checkpoint, ABackboneAloneComesBackWithoutHead)
{
  const test::TemporaryDirectory directory;
  ModelConfig config = test::small_config();
  Network network(config, nullptr);
  save_checkpoint(directory / "backbone.safetensors", network, Manifest());

  const Checkpoint loaded = load_checkpoint(directory / "backbone.safetensors");

  EXPECT_EQ(loaded.manifest.stage, Stage::backbone);
  EXPECT_FALSE(loaded.network->has_head());
}

TEST(Checkpoint, WeightsInEightBitsComeBackWithinHalfAStep)
{
  const test::TemporaryDirectory directory;
  const std::string path = directory / "model.safetensors";
  const auto network = test::small_network();
  const torch::NoGradGuard no_grad;
  network->named_parameters()["backbone.conv1.weight"][1].zero_();
  save_checkpoint(path, *network, test::small_manifest(), WeightStorage::eight_bit);

  const Checkpoint loaded = load_checkpoint(path);

  const auto before = checkpoint_tensors(*network);
  const auto after = checkpoint_tensors(*loaded.network);
  ASSERT_EQ(before.size(), after.size());
  int in_eight_bits = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto & [name, tensor] = before[i];
    const torch::Tensor & stored = after[i].second;
    if (name.rfind("backbone.", 0) != 0 || tensor.dim() != 4) {
      EXPECT_TRUE(tensor.equal(stored)) << name;
      continue;
    }
    ++in_eight_bits;
    const torch::Tensor largest = tensor.abs().amax({1, 2, 3}, /*keepdim=*/true);
    const torch::Tensor off = (tensor - stored).abs();
    EXPECT_TRUE((off <= largest / 127 * 0.5001).all().item<bool>()) << name;
    EXPECT_GT(off.max().item<float>(), 0) << name;
  }
  EXPECT_EQ(in_eight_bits, 20);
  EXPECT_EQ(after[0].second[1].abs().max().item<float>(), 0) << "a channel of zeros";
}

/// A model, and beside it a file with its backbone in eight bits.
class SharedBackbone : public ::testing::Test
{
protected:
  void SetUp() override
  {
    save_checkpoint(
      backbone, *test::small_network(), test::small_manifest(), WeightStorage::eight_bit);
    Checkpoint checkpoint = load_checkpoint(backbone);
    network = checkpoint.network;
    manifest = checkpoint.manifest;
    manifest.calibration = test::small_calibration(-3);
    save_checkpoint(whole, *network, manifest);
  }

  void expect_same_model(const std::string & path)
  {
    const Checkpoint loaded = load_checkpoint(path);
    EXPECT_TRUE(loaded.manifest.calibration);
    const auto before = checkpoint_tensors(*network);
    const auto after = checkpoint_tensors(*loaded.network);
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_TRUE(before[i].second.equal(after[i].second)) << before[i].first;
    }
  }

  static std::optional<BackboneFile> referred_by(const std::string & path)
  {
    return CheckpointFile::open(path).manifest().backbone_file;
  }

  test::TemporaryDirectory directory;
  std::string backbone = directory / "backbone.safetensors";
  std::string whole = directory / "whole.safetensors";
  std::string sharing = directory / "sharing.safetensors";
  std::shared_ptr<Network> network;
  Manifest manifest;
};

TEST_F(SharedBackbone, TheModelIsTheSameAndItsFileHasNoBackbone)
{
  share_backbone(whole, backbone, sharing);

  expect_same_model(sharing);
  EXPECT_EQ(referred_by(sharing)->name, "backbone.safetensors");
  EXPECT_LT(
    std::filesystem::file_size(sharing) + std::filesystem::file_size(backbone),
    std::filesystem::file_size(whole));
  const SafetensorsFile file = SafetensorsFile::open(sharing);
  for (const auto & [name, tensor] : file.tensors()) {
    EXPECT_NE(name.rfind("backbone.", 0), 0u) << name;
  }
}

TEST_F(SharedBackbone, GoesOnToBeSharedInItsDirectoryAndIsHeldElsewhere)
{
  share_backbone(whole, backbone, sharing);
  const Checkpoint loaded = load_checkpoint(sharing);
  const test::TemporaryDirectory elsewhere;

  save_checkpoint(directory / "again.safetensors", *loaded.network, loaded.manifest);
  save_checkpoint(elsewhere / "again.safetensors", *loaded.network, loaded.manifest);
  hold_backbone(sharing, directory / "held.safetensors");

  EXPECT_TRUE(referred_by(directory / "again.safetensors"));
  EXPECT_FALSE(referred_by(elsewhere / "again.safetensors"));
  EXPECT_FALSE(referred_by(directory / "held.safetensors"));
  expect_same_model(directory / "again.safetensors");
  expect_same_model(elsewhere / "again.safetensors");
  expect_same_model(directory / "held.safetensors");
}

TEST_F(SharedBackbone, WeightsThatChangedAreWritten)
{
  share_backbone(whole, backbone, sharing);
  const Checkpoint loaded = load_checkpoint(sharing);
  const torch::NoGradGuard no_grad;
  network->named_parameters()["backbone.layer1.0.conv1.weight"].add_(1e-3);

  save_checkpoint(directory / "changed.safetensors", *network, loaded.manifest);

  EXPECT_FALSE(referred_by(directory / "changed.safetensors"));
}

TEST_F(SharedBackbone, AModelThatReplacesItsBackboneHoldsIt)
{
  share_backbone(whole, backbone, sharing);
  const Checkpoint loaded = load_checkpoint(sharing);
  save_checkpoint(backbone, *loaded.network, loaded.manifest);
  EXPECT_FALSE(referred_by(backbone));
  expect_same_model(backbone);
}

TEST_F(SharedBackbone, AnotherBackboneIsRefusedWithTheTensor)
{
  save_checkpoint(whole, *test::small_network(), test::small_manifest());  // not rounded
  const std::string error = error_of([&] { share_backbone(whole, backbone, sharing); });
  EXPECT_EQ(
    error, backbone + ": tensor 'backbone.conv1.weight' is not that of the model's backbone");
}

TEST_F(SharedBackbone, MustStandBesideTheModel)
{
  EXPECT_THROW(share_backbone(whole, backbone, "/tmp/sharing.safetensors"), ConfigError);
  EXPECT_THROW(share_backbone(whole, backbone, backbone), ConfigError);
  share_backbone(whole, backbone, sharing);
  const std::string error = error_of([&] { share_backbone(whole, sharing, directory / "third"); });
  EXPECT_NE(error.find("refers to a backbone file"), std::string::npos) << error;
}

/// Writes a good file again with one tensor left out, renamed or cut.
class Spoiled : public ::testing::Test
{
protected:
  void SetUp() override { save_checkpoint(path, *test::small_network(), test::small_manifest()); }

  std::string load_after(
    const std::function<void(std::vector<TensorToWrite> &, Manifest &)> & spoil)
  {
    const std::string spoiled = directory / "spoiled.safetensors";
    const CheckpointFile file = CheckpointFile::open(path);
    std::vector<TensorToWrite> tensors;
    for (const auto & [name, view] : file.tensors()) {
      tensors.push_back({name, view.dtype, view.shape, view.data, view.bytes});
    }
    Manifest manifest = file.manifest();
    spoil(tensors, manifest);
    write_checkpoint_file(spoiled, tensors, manifest);
    const std::string error = error_of([&] { load_checkpoint(spoiled); });
    EXPECT_EQ(error.rfind(spoiled, 0), 0u) << error;
    return error;
  }

  static TensorToWrite & find(std::vector<TensorToWrite> & tensors, const std::string & name)
  {
    return *std::find_if(
      tensors.begin(), tensors.end(), [&](const auto & tensor) { return tensor.name == name; });
  }

  test::TemporaryDirectory directory;
  std::string path = directory / "model.safetensors";
};

TEST_F(Spoiled, AMissingTensorIsNamed)
{
  const std::string error = load_after([](auto & tensors, auto &) {
    find(tensors, "backbone.layer2.0.conv1.weight").name = "elsewhere";
  });
  EXPECT_NE(error.find("backbone.layer2.0.conv1.weight"), std::string::npos) << error;
}

TEST_F(Spoiled, AWrongShapeIsNamedWithWhatWasExpected)
{
  const std::string error = load_after([](auto & tensors, auto &) {
    find(tensors, "backbone.conv1.weight").shape = {3, 4, 7, 7};
  });
  EXPECT_NE(error.find("[3, 4, 7, 7], expected [4, 3, 7, 7]"), std::string::npos) << error;
}

TEST_F(Spoiled, AWrongTypeIsNamed)
{
  const std::string error =
    load_after([](auto & tensors, auto &) { find(tensors, "add_on.1.bias").dtype = DType::i32; });
  EXPECT_NE(error.find("'add_on.1.bias' is I32, expected F32"), std::string::npos) << error;
}

TEST_F(Spoiled, ANegativeVarianceIsNamed)
{
  const std::vector<float> variance{1, 1, -1, 1};
  const std::string error = load_after([&](auto & tensors, auto &) {
    find(tensors, "backbone.bn1.running_var").data = variance.data();
  });
  EXPECT_NE(error.find("negative variance"), std::string::npos) << error;
}

TEST_F(Spoiled, AModelThatCannotBeBuiltNamesTheKey)
{
  EXPECT_NE(
    load_after([](auto &, Manifest & m) {
      m.model.backbone.architecture = "alexnet";
    }).find("manifest.model.backbone.architecture"),
    std::string::npos);
  EXPECT_NE(
    load_after([](auto &, Manifest & m) {
      m.model.head.kind = "linear";
    }).find("manifest.model.head.kind"),
    std::string::npos);
  EXPECT_NE(
    load_after([](auto &, Manifest & m) {
      m.model.head.concentration = -1;
    }).find("manifest.model.head.concentration"),
    std::string::npos);
  EXPECT_NE(
    load_after([](auto &, Manifest & m) { m.model.head.feature_dim = 9; }).find("add_on.0.weight"),
    std::string::npos);
  EXPECT_NE(
    load_after([](auto &, Manifest & m) { m.model.backbone.width = 4; }).find("expected"),
    std::string::npos);
}

}  // namespace
}  // namespace mgproto
