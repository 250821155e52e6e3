// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <numeric>
#include <thread>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint_file.hpp"
#include "model/image_file.hpp"
#include "model/manifest_json.hpp"
#include "model/shared_backbone.hpp"
#include "teach/teachable_model.hpp"
#include "teach/three_colours.hpp"
#include "temporary_directory.hpp"

namespace mgproto
{
namespace
{

using test::disc;
using test::discs;
using test::kYellow;

std::string content_of(const std::string & path)
{
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class TeachableModelTest : public testing::Test
{
protected:
  TeachableModelTest()
  {
    const Checkpoint model = test::three_colours();
    save_checkpoint(base, *model.network, model.manifest);
  }

  static Prediction say(TeachableModel & model, const cv::Scalar & colour, int index = 7000)
  {
    return model.recognizer().recognize(view_of(disc(colour, index)), {1, {}, 0, true});
  }

  static void expect_same(const Prediction & a, const Prediction & b)
  {
    EXPECT_EQ(a.log_likelihood, b.log_likelihood);
    EXPECT_EQ(a.score, b.score);
    EXPECT_EQ(a.threshold, b.threshold);
    EXPECT_EQ(a.answers, b.answers);
    EXPECT_EQ(a.descriptor, b.descriptor);
    ASSERT_EQ(a.evidence.size(), b.evidence.size());
    for (std::size_t i = 0; i < a.evidence.size(); ++i) {
      EXPECT_EQ(a.evidence[i].map, b.evidence[i].map);
    }
  }

  const test::TemporaryDirectory directory;
  const std::string base = directory / "base.safetensors";
  const std::string output = directory / "taught.safetensors";
};

TEST_F(TeachableModelTest, WhatItBecomesAnswersAsItsFileDoes)
{
  TeachableModel model(base, {});
  const std::string before = content_of(base);
  const Prediction unknown = say(model, kYellow);

  TeachableModel taught = model.taught("yellow", discs(kYellow, 8), output);
  TeachableModel read(output, {});

  EXPECT_EQ(taught.manifest().classes.back(), "yellow");
  EXPECT_EQ(taught.manifest().tensors_sha256, read.manifest().tensors_sha256);
  EXPECT_EQ(to_json(taught.manifest()), to_json(read.manifest()));
  EXPECT_EQ(taught.manifest().prototype_prior, read.manifest().prototype_prior);
  EXPECT_EQ(taught.manifest().prototype_class, read.manifest().prototype_class);
  EXPECT_EQ(say(taught, kYellow).class_id, 3);
  EXPECT_EQ(say(taught, kYellow).verdict, Verdict::known);
  for (int index = 7000; index < 7010; ++index) {
    expect_same(say(taught, kYellow, index), say(read, kYellow, index));
    expect_same(say(taught, test::kColours[1], index), say(read, test::kColours[1], index));
  }
  EXPECT_EQ(content_of(base), before);
  expect_same(say(model, kYellow), unknown);
}

TEST_F(TeachableModelTest, ForgettingGivesTheBytesOfBefore)
{
  TeachableModel model(base, {});
  TeachableModel taught = model.taught("yellow", discs(kYellow, 8), output);

  taught.without("yellow", directory / "again.safetensors");

  EXPECT_EQ(content_of(directory / "again.safetensors"), content_of(base));
}

TEST_F(TeachableModelTest, AnswersWhileItIsTaught)
{
  TeachableModel model(base, {"cpu", 1, false});
  const Prediction expected = say(model, kYellow);
  std::atomic<bool> stop{false};
  std::atomic<int> answers{0};
  std::thread worker([&] {
    while (!stop) {
      expect_same(say(model, kYellow), expected);
      ++answers;
    }
  });

  for (int i = 0; i < 5; ++i) {
    model.taught("yellow", discs(kYellow, 6), output);
  }

  stop = true;
  worker.join();
  EXPECT_GT(answers, 5);
}

TEST_F(TeachableModelTest, ABackboneInEightBitsStaysAsItIsStored)
{
  const Checkpoint model = test::three_colours();
  save_checkpoint(base, *model.network, model.manifest, WeightStorage::eight_bit);

  TeachableModel(base, {}).taught("yellow", discs(kYellow, 6), output);

  const CheckpointFile before = CheckpointFile::open(base);
  const CheckpointFile after = CheckpointFile::open(output);
  EXPECT_EQ(after.tensor("backbone.conv1.weight").dtype, DType::i8);
  for (const auto & [name, tensor] : before.tensors()) {
    if (of_backbone(name)) {
      const TensorView & kept = after.tensor(name);
      ASSERT_EQ(kept.bytes, tensor.bytes) << name;
      EXPECT_TRUE(std::equal(kept.data, kept.data + kept.bytes, tensor.data)) << name;
    }
  }
}

TEST_F(TeachableModelTest, ASharedBackboneIsReferredToWhereItIsAndHeldElsewhere)
{
  const Checkpoint model = test::three_colours();
  Manifest backbone;
  backbone.model = model.manifest.model;
  backbone.preprocessing = model.manifest.preprocessing;
  Network alone(backbone.model, nullptr, *model.network);
  save_checkpoint(directory / "backbone.safetensors", alone, backbone);
  share_backbone(base, directory / "backbone.safetensors", directory / "shared.safetensors");
  const TeachableModel shared(directory / "shared.safetensors", {});
  const test::TemporaryDirectory elsewhere;

  const TeachableModel beside = shared.taught("yellow", discs(kYellow, 6), output);
  TeachableModel held =
    shared.taught("yellow", discs(kYellow, 6), elsewhere / "taught.safetensors");

  EXPECT_TRUE(beside.manifest().backbone_file);
  EXPECT_FALSE(held.manifest().backbone_file);
  TeachableModel read(elsewhere / "taught.safetensors", {});
  expect_same(say(held, kYellow), say(read, kYellow));
}

TEST_F(TeachableModelTest, AFileThatIsAnotherOneNowIsNotBuiltOn)
{
  const TeachableModel model(base, {});
  Checkpoint other = test::three_colours(0.0);
  save_checkpoint(base, *other.network, other.manifest);

  EXPECT_THROW(model.taught("yellow", discs(kYellow, 6), output), FileError);

  EXPECT_EQ(content_of(output), "");
}

TEST_F(TeachableModelTest, ImagesThatLookAlikeHaveDescriptorsThatAgree)
{
  TeachableModel model(base, {});
  const auto descriptor = [&](const cv::Scalar & colour, int index) {
    return say(model, colour, index).descriptor;
  };
  const auto product = [](const std::vector<float> & a, const std::vector<float> & b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  double alike = 0, other = 0;
  for (int i = 0; i < 10; ++i) {
    const std::vector<float> yellow = descriptor(kYellow, 7000 + i);
    EXPECT_NEAR(product(yellow, yellow), 1, 1e-5);
    alike += product(yellow, descriptor(kYellow, 7100 + i)) / 10;
    other += product(yellow, descriptor(test::kColours[i % 3], 7100 + i)) / 10;
  }
  EXPECT_GT(alike, other + 0.3) << other;
  EXPECT_TRUE(model.recognizer().recognize(view_of(disc(kYellow, 1))).descriptor.empty());
}

}  // namespace
}  // namespace mgproto
