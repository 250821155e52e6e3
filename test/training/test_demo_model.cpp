// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The model that comes with the package, on individuals that no training saw.

#include <gtest/gtest.h>

#include "demo_model.hpp"
#include "mgproto_ros/recognizer.hpp"
#include "model/image_file.hpp"
#include "training/birds/picture.hpp"
#include "training/birds/vehicles.hpp"

namespace mgproto
{
namespace
{

class DemoModel : public ::testing::Test
{
protected:
  Recognition answer(birds::SceneKind kind, int index, int individual)
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
      const Recognition bird = answer(birds::SceneKind::SeenBird, species, individual);
      right += bird.class_id == species ? 1 : 0;
      known += bird.verdict == Verdict::known ? 1 : 0;
    }
  }
  EXPECT_GE(right, 114);  // 95 of 100
  EXPECT_GE(known, 102);  // calibrated to 95 of 100
}

TEST_F(DemoModel, RejectsMostVehicles)
{
  int known = 0;
  for (int individual = 0; individual < 120; ++individual) {
    const Recognition vehicle = answer(birds::SceneKind::Vehicle, individual % 4, individual);
    known += vehicle.verdict == Verdict::known ? 1 : 0;
  }
  EXPECT_LE(known, 36);  // 13 of 100 in its own evaluation
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
