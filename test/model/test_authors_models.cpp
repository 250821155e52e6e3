// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole models against the MGProto authors' numbers: their DenseNet121 (zip) and ResNet18 (legacy)
// where the shared files are there, and always a small ResNet18 worked out in
// data/models/make.py. Tolerances are those that come with the numbers.

#include <gtest/gtest.h>

#include "golden.hpp"
#include "mgproto_ros/recognizer.hpp"
#include "model/checkpoint.hpp"
#include "model/image_file.hpp"
#include "model/import.hpp"
#include "temporary_directory.hpp"

namespace mgproto
{
namespace
{

using test::largest_difference;
using test::relative_difference;

class SmallModel : public ::testing::TestWithParam<const char *>
{
};

TEST_P(SmallModel, AnswersAsWorkedOutInPython)
{
  const test::TemporaryDirectory directory;
  ImportOptions options;
  options.preprocessing.size = 48;
  import_state_dict(
    test::test_data(std::string("models/") + GetParam()), directory / "m.safetensors", options);
  const Checkpoint checkpoint = load_checkpoint(directory / "m.safetensors");
  const nlohmann::json expected = test::read_json(test::test_data("models/small_expected.json"));
  const torch::Tensor images =
    test::tensor_of(expected["images"], expected["shape"].get<std::vector<std::int64_t>>());
  torch::NoGradGuard no_grad;

  for (const char * state : {"as trained", "folded", "packed"}) {
    SCOPED_TRACE(state);
    checkpoint.network->eval();
    if (state == std::string("folded")) {
      checkpoint.network->prepare_for_inference();
    } else if (state == std::string("packed")) {
      checkpoint.network->pack_for_cpu();
    }
    const Densities densities = checkpoint.network->forward(images);
    EXPECT_LT(
      largest_difference(
        densities.log_class_density, test::tensor_of(expected["log_class_density"], {2, 3})),
      2e-4);
    EXPECT_LT(
      largest_difference(densities.log_density, test::tensor_of(expected["log_density"], {2})),
      2e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(
  BothFormats, SmallModel, ::testing::Values("small_zip.pth", "small_legacy.pth"));

class AuthorsDenseNetWithSharedFiles : public ::testing::Test
{
protected:
  void SetUp() override
  {
    if (!test::exists(folder + "/checkpoint_zip.pth")) {
      GTEST_SKIP() << folder << " is not here";
    }
  }

  Checkpoint import(PreprocessingConfig::Mode mode)
  {
    ImportOptions options;
    options.preprocessing.size = 64;
    options.preprocessing.mode = mode;
    options.preprocessing.shorter_side =
      mode == PreprocessingConfig::Mode::resize_crop ? 96 : 0;  // as their script: size + 32
    const ImportSummary summary = import_state_dict(folder + "/checkpoint_zip.pth", path, options);
    EXPECT_EQ(summary.manifest.model.backbone.architecture, "densenet121");
    return load_checkpoint(path);
  }

  /// Positions must agree wherever the authors' two best are clearly apart.
  void expect_same_positions(
    const test::BinaryCase & golden, const std::string & mode, const torch::Tensor & position)
  {
    const torch::Tensor row_col = golden[mode + "/argmax_hw"].view({4, 9, 2});
    const torch::Tensor expected = row_col.select(2, 0) * 4 + row_col.select(2, 1);
    const torch::Tensor clear = golden[mode + "/top2_gap"].view({4, 9}) > 3e-5;
    EXPECT_TRUE((position.eq(expected) | ~clear).all().item<bool>());
  }

  std::string folder = test::shared_fixture("f_densenet121");
  test::TemporaryDirectory directory;
  std::string path = directory / "densenet121.safetensors";
};

TEST_F(AuthorsDenseNetWithSharedFiles, FromTheirTensorEveryStepAgrees)
{
  const Checkpoint checkpoint = import(PreprocessingConfig::Mode::resize);
  const test::BinaryCase golden(folder);
  torch::NoGradGuard no_grad;

  for (const bool folded : {false, true}) {
    checkpoint.network->eval();
    if (folded) {
      checkpoint.network->prepare_for_inference();
    }
    const torch::Tensor z = checkpoint.network->backbone_map(golden["input_resize"]);
    EXPECT_LT(relative_difference(z, golden["resize/z"]), 1e-4);
    const Densities densities =
      checkpoint.network->gaussian_head().forward(checkpoint.network->features(z));
    EXPECT_LT(largest_difference(densities.log_class_density, golden["resize/log_pxc"]), 2e-4);
    EXPECT_LT(largest_difference(densities.log_posterior.exp(), golden["resize/posterior"]), 4e-5);
    EXPECT_LT(largest_difference(densities.log_density.exp(), golden["resize/px_mean"]), 4e-5);
    expect_same_positions(golden, "resize", densities.position);

    const Densities cropped = checkpoint.network->forward(golden["input_resize_crop"]);
    EXPECT_LT(largest_difference(cropped.log_class_density, golden["resize_crop/log_pxc"]), 2e-4);
    expect_same_positions(golden, "resize_crop", cropped.position);
  }
}

TEST_F(AuthorsDenseNetWithSharedFiles, FromThePngTheAnswerAgrees)
{
  for (const auto mode :
       {PreprocessingConfig::Mode::resize, PreprocessingConfig::Mode::resize_crop}) {
    const bool crop = mode == PreprocessingConfig::Mode::resize_crop;
    import(mode);
    Recognizer recognizer(path);
    const torch::Tensor expected =
      test::BinaryCase(folder)[crop ? "resize_crop/log_pxc" : "resize/log_pxc"];
    for (int i = 0; i < 4; ++i) {
      const cv::Mat image = read_image(folder + "/img" + std::to_string(i) + ".png");
      const Prediction answer = recognizer.recognize(view_of(image));
      for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(answer.log_likelihood[c], expected[i][c].item<float>(), 2e-2);
      }
    }
  }
}

TEST(AuthorsResNetWithSharedFiles, LogitsOfTheFirstTrainingStepAgree)
{
  const std::string folder = test::shared_fixture("g_train");
  if (!test::exists(folder + "/init_legacy.pth")) {
    GTEST_SKIP() << folder << " is not here";
  }
  const test::TemporaryDirectory directory;
  ImportOptions options;
  options.preprocessing.size = 64;
  import_state_dict(folder + "/init_legacy.pth", directory / "g.safetensors", options);
  const Checkpoint checkpoint = load_checkpoint(directory / "g.safetensors");
  const test::BinaryCase golden(folder);
  const nlohmann::json meta = test::read_json(folder + "/trace.json")["meta"];
  const auto order = meta["order"].get<std::vector<std::int64_t>>();
  const auto labels = meta["labels"].get<std::vector<std::int64_t>>();
  const torch::Tensor batch =
    torch::tensor(std::vector<std::int64_t>(order.begin(), order.begin() + 8), torch::kInt64);
  torch::NoGradGuard no_grad;
  checkpoint.network->train();  // batch statistics, as in their first step

  const GaussianHead & head = checkpoint.network->gaussian_head();
  const torch::Tensor features = checkpoint.network->features(
    checkpoint.network->backbone_map(golden["images"].index_select(0, batch)));
  const torch::Tensor levels = top_levels(head.log_likelihood_maps(features), 5).first;

  const torch::Tensor expected = golden["logits_iter0"];  // [8, 4, 5]
  const torch::Tensor first = head.log_class_density(levels.select(2, 0));
  for (int t = 0; t < 5; ++t) {
    const torch::Tensor logits = head.log_class_density(levels.select(2, t));
    for (int b = 0; b < 8; ++b) {
      const std::int64_t label = labels[order[b]];
      // Only the true class goes down its levels.
      for (int c = 0; c < 4; ++c) {
        const torch::Tensor actual = c == label ? logits[b][c] : first[b][c];
        EXPECT_NEAR(actual.item<float>(), expected[b][c][t].item<float>(), 1e-4);
      }
    }
  }
}

}  // namespace
}  // namespace mgproto
