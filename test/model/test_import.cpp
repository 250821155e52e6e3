// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// State_dicts become checkpoints: what is read off the tensors, and what is refused. The file
// formats themselves: test_torch_file.cpp; the numbers: test_authors_models.cpp.

#include <gtest/gtest.h>

#include "golden.hpp"
#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/checkpoint_file.hpp"
#include "model/import.hpp"
#include "temporary_directory.hpp"

namespace mgproto
{
namespace
{

class Import : public ::testing::Test
{
protected:
  ImportSummary import(const std::string & name, const ImportOptions & options = {})
  {
    return import_state_dict(test::test_data("models/" + name), path, options);
  }

  test::TemporaryDirectory directory;
  std::string path = directory / "model.safetensors";
};

TEST_F(Import, ReadsTheAuthorsModelOffItsTensors)
{
  const Manifest manifest = import("small_zip.pth").manifest;

  EXPECT_EQ(manifest.model.backbone.architecture, "resnet18");
  EXPECT_DOUBLE_EQ(manifest.model.backbone.width, 1.0 / 16);
  EXPECT_EQ(manifest.model.head.feature_dim, 8);
  EXPECT_DOUBLE_EQ(manifest.model.head.concentration, 1.0);
  EXPECT_EQ(manifest.stage, Stage::trained);
  EXPECT_EQ(manifest.classes, (std::vector<std::string>{"class_0", "class_1", "class_2"}));
  EXPECT_EQ(manifest.prototype_class, (std::vector<int>{0, 0, 1, 1, 2, 2}));
  EXPECT_FLOAT_EQ(manifest.prototype_prior[1], 0.75f);
  EXPECT_FALSE(manifest.calibration);
}

TEST_F(Import, ListsWhatHasNoPlace)
{
  EXPECT_EQ(import("small_zip.pth").ignored, (std::vector<std::string>{"embedding.weight"}));
}

TEST_F(Import, ZipAndLegacyGiveTheSameModel)
{
  const std::string zip = import("small_zip.pth").manifest.tensors_sha256;
  EXPECT_EQ(zip, import("small_legacy.pth").manifest.tensors_sha256);
}

TEST_F(Import, PrototypesTheAuthorsPrunedAreLeftOut)
{
  const Manifest manifest = import("small_pruned_half.pth").manifest;  // in float16, too

  EXPECT_EQ(manifest.stage, Stage::pruned);
  EXPECT_EQ(manifest.prototype_class, (std::vector<int>{0, 1, 1, 2, 2}));
  EXPECT_NEAR(manifest.prototype_prior[0], 0.75f, 1e-3);
}

TEST_F(Import, TorchvisionWeightsBecomeABackbone)
{
  ImportOptions options;
  options.stem_pool = true;
  options.upsample = 2;
  const ImportSummary summary = import("small_torchvision.pth", options);

  EXPECT_EQ(summary.manifest.stage, Stage::backbone);
  EXPECT_TRUE(summary.manifest.model.backbone.stem_pool);
  EXPECT_EQ(summary.manifest.model.backbone.upsample, 2);
  EXPECT_EQ(summary.ignored, (std::vector<std::string>{"fc.weight"}));
  EXPECT_FALSE(load_checkpoint(path).network->has_head());
}

TEST_F(Import, ABackboneMayBeStoredInEightBits)
{
  ImportOptions options;
  options.storage = WeightStorage::eight_bit;
  import("small_torchvision.pth", options);

  const CheckpointFile file = CheckpointFile::open(path);
  EXPECT_EQ(file.tensor("backbone.conv1.weight").dtype, DType::i8);
  EXPECT_EQ(file.tensor("backbone.bn1.weight").dtype, DType::f32);
  EXPECT_FALSE(load_checkpoint(path).network->has_head());
}

TEST_F(Import, TheTwoBranchesOfBbnBecomeTheLastBlocks)
{
  const ImportSummary summary = import("small_bbn.pth", {});

  EXPECT_EQ(summary.manifest.model.backbone.stages, (std::vector<int>{2, 2, 2, 3}));
  EXPECT_EQ(summary.ignored, (std::vector<std::string>{"module.classifier.weight"}));
}

using ImportWithSharedFiles = Import;

TEST_F(ImportWithSharedFiles, RealImageNetWeightsBecomeABackbone)
{
  const std::string weights =
    std::string(MGPROTO_SHARED) + "/data/weights/resnet50_imagenet_keras_v1_mixed_fp16.pth";
  if (!test::exists(weights)) {
    GTEST_SKIP() << weights << " is not here";
  }
  ImportOptions options;
  options.stride_in_1x1 = true;
  const ImportSummary summary = import_state_dict(weights, path, options);
  EXPECT_EQ(summary.manifest.model.backbone.architecture, "resnet50");
  EXPECT_TRUE(summary.manifest.model.backbone.stages.empty());
  EXPECT_EQ(summary.ignored, (std::vector<std::string>{"fc.weight", "fc.bias"}));
}

TEST_F(Import, GivenClassNamesAreTakenAndCounted)
{
  ImportOptions options;
  options.classes = {"finch", "wren", "jay"};
  EXPECT_EQ(import("small_zip.pth", options).manifest.classes, options.classes);
  options.classes = {"finch"};
  EXPECT_THROW(import("small_zip.pth", options), ConfigError);
}

TEST_F(Import, TheWrongArchitectureIsAnErrorThatNamesATensor)
{
  ImportOptions options;
  options.architecture = "densenet121";
  try {
    import("small_zip.pth", options);
    FAIL();
  } catch (const FileError & error) {
    EXPECT_NE(std::string(error.what()).find("features.features.conv0"), std::string::npos)
      << error.what();
  }
}

TEST_F(Import, AFileOfOtherTensorsIsRefused)
{
  EXPECT_THROW(import_state_dict(test::test_data("torch_files/zip.pth"), path, {}), FileError);
  EXPECT_FALSE(test::exists(path));
}

}  // namespace
}  // namespace mgproto
