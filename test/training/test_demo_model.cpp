// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The model that comes with the package, on individuals that no training saw. Limits are a few images
// beside what it does today.

#include <gtest/gtest.h>

#include "birds/ood_subjects.hpp"
#include "birds/picture.hpp"
#include "datasets/garbage.hpp"
#include "demo_model.hpp"
#include "mgproto_ros/recognizer.hpp"
#include "model/image_file.hpp"
#include "model/reason_text.hpp"

namespace mgproto
{
namespace
{

class DemoModel : public ::testing::Test
{
protected:
  Prediction answer(birds::SceneKind kind, int index, int individual)
  {
    Random random{
      2026, static_cast<std::uint64_t>(kind), static_cast<std::uint64_t>(index),
      static_cast<std::uint64_t>(individual)};
    const cv::Mat image = birds::draw_scene(kind, index, 96, 96, random);
    return recognizer.recognize(view_of(image));
  }

  Recognizer recognizer{test::kDemoModel};
};

TEST_F(DemoModel, NamesNewIndividualsOfItsSpecies)
{
  int right = 0, known = 0;
  for (int species = 0; species < 12; ++species) {
    for (int individual = 0; individual < 10; ++individual) {
      const Prediction bird = answer(birds::SceneKind::SeenBird, species, individual);
      right += bird.class_id == species ? 1 : 0;
      known += bird.verdict == Verdict::known ? 1 : 0;
    }
  }
  EXPECT_GE(right, 118);
  EXPECT_GE(known, 107);
}

TEST_F(DemoModel, RejectsNearlyAllVehiclesAndMostTextures)
{
  const auto known = [&](birds::SceneKind kind) {
    int count = 0;
    for (int individual = 0; individual < 120; ++individual) {
      count += answer(kind, individual % 4, individual).verdict == Verdict::known ? 1 : 0;
    }
    return count;
  };
  EXPECT_LE(known(birds::SceneKind::Vehicle), 10);
  EXPECT_LE(known(birds::SceneKind::Texture), 15);
}

/// Colour bars are the exception: to a network that learnt twelve drawings they are plumage.
TEST_F(DemoModel, RejectsGarbage)
{
  for (const std::string & kind : garbage_kinds()) {
    int known = 0;
    for (std::uint64_t i = 0; i < 50; ++i) {
      const cv::Mat image = garbage_image(kind, i, garbage_size(i));
      known += recognizer.recognize(view_of(image)).verdict == Verdict::known ? 1 : 0;
    }
    EXPECT_LE(known, kind == "test_chart" ? 11 : 3) << kind;  // 9, and 2 at the most
  }
}

TEST_F(DemoModel, SaysWhyItRejects)
{
  const Prediction noise =
    recognizer.recognize(view_of(garbage_image("uniform_noise", 2, {320, 240})));
  EXPECT_EQ(noise.verdict, Verdict::unknown);
  EXPECT_EQ(noise.criterion, Criterion::joint);
  EXPECT_NE(
    reason_text(noise, recognizer.manifest()).find(" is below the threshold "), std::string::npos);
  for (const double p_value : noise.p_values) {
    EXPECT_GT(p_value, 0);
    EXPECT_LE(p_value, 1);
  }
  // The paper's decision, on demand.
  const Prediction paper = recognizer.recognize(
    view_of(garbage_image("uniform_noise", 2, {320, 240})), {}, {0, Criterion::log_density});
  EXPECT_EQ(paper.score, paper.log_density);
  EXPECT_EQ(paper.log_density, noise.log_density);
}

TEST_F(DemoModel, EveryPrototypeStandsForATrainingPatch)
{
  ASSERT_EQ(recognizer.manifest().prototypes.size(), 120u);
  for (const auto & source : recognizer.manifest().prototypes) {
    ASSERT_TRUE(source);
    EXPECT_FALSE(source->patch.empty());
  }
}

}  // namespace
}  // namespace mgproto
