// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which depth a frame gets, and what of a frame gets a position.

#include <gtest/gtest.h>

#include "contains.hpp"
#include "perception/depth_images.hpp"
#include "perception/locate.hpp"
#include "perception/perception_test.hpp"

namespace mgproto::perception
{
namespace
{

using test::some_camera;
using test::wall;

class LocateTest : public ::testing::Test
{
protected:
  LocateTest()
  {
    store.set_intrinsics(0, some_camera());
    frame.header = {{7, 0}, "optical"};
    frame.width = 640;
    frame.height = 480;
    frame.evidence_prototypes = 2;
  }
  RegionPrediction & add_region(const Box & box, const std::string & id = "")
  {
    RegionPrediction & region = frame.regions.emplace_back();
    region.region = box;
    region.detection_id = id;
    region.prediction.class_id = 1;
    region.prediction.verdict = Verdict::known;
    return region;
  }
  static PrototypeEvidence place(int class_id, const Box & box)
  {
    PrototypeEvidence evidence;
    evidence.class_id = class_id;
    evidence.box = box;
    return evidence;
  }
  void add_depth(CameraImage image, Stamp stamp = {7, 0}, const std::string & frame_id = "optical")
  {
    store.add(0, {{stamp, frame_id}, std::move(image)});
  }
  std::string locate_all() { return locate(frame, store, settings); }

  DepthStore store{1};
  FramePrediction frame;
  Settings settings;
};

TEST_F(LocateTest, EveryRegionGetsItsPositionKnownOrNot)
{
  add_region({0, 0, 100, 100}, "a");
  add_region({400, 0, 100, 100}, "b").prediction.verdict = Verdict::unknown;
  add_depth(test::depth_image(640, 480, [](int x, int) { return x < 320 ? 1.0f : 2.0f; }));

  EXPECT_EQ(locate_all(), "");

  EXPECT_TRUE(frame.has_depth);
  ASSERT_TRUE(frame.regions[0].position);
  ASSERT_TRUE(frame.regions[1].position);
  EXPECT_NEAR(frame.regions[0].position->z, 1, 1e-6);
  EXPECT_NEAR(frame.regions[1].position->z, 2, 1e-6);
}

TEST_F(LocateTest, ARegionWithoutDepthInItGetsNoneAndTheOthersDo)
{
  add_region({0, 0, 100, 100}, "a");
  add_region({400, 0, 100, 100}, "b");
  add_depth(test::depth_image(640, 480, [](int x, int) { return x < 320 ? 0.0f : 2.0f; }));

  EXPECT_EQ(locate_all(), "");

  EXPECT_TRUE(frame.has_depth);
  EXPECT_FALSE(frame.regions[0].position);
  EXPECT_TRUE(frame.regions[1].position);
}

TEST_F(LocateTest, OfAKnownImageItIsAroundThePlacesOfItsClassThatAreTold)
{
  RegionPrediction & region = add_region({0, 0, 640, 480});
  region.prediction.evidence = {
    place(1, {10, 20, 30, 40}), place(0, {600, 400, 9, 9}), place(1, {100, 10, 20, 20}),
    place(1, {500, 400, 50, 50})};

  EXPECT_EQ(located_box(frame, region), (Box{10, 10, 110, 50})) << "of two places";

  region.prediction.evidence = {place(1, {-100, -100, 130, 130})};
  EXPECT_EQ(located_box(frame, region), (Box{0, 0, 30, 30})) << "as much as is in the image";
}

TEST_F(LocateTest, OfAnImageThatIsNotKnownItIsOfTheMiddle)
{
  RegionPrediction & region = add_region({0, 0, 640, 480});
  EXPECT_EQ(located_box(frame, region), (Box{160, 120, 320, 240})) << "known, but no places told";

  region.prediction.evidence = {place(1, {10, 20, 30, 40})};
  region.prediction.verdict = Verdict::unknown;
  EXPECT_EQ(located_box(frame, region), (Box{160, 120, 320, 240}));

  region.detection_id = "all of it";
  EXPECT_EQ(located_box(frame, region), (Box{0, 0, 640, 480})) << "a detector's box";

  frame.width = frame.height = 1;
  region.detection_id = "";
  region.region = {0, 0, 1, 1};
  EXPECT_EQ(located_box(frame, region), (Box{0, 0, 1, 1}));
}

TEST_F(LocateTest, WithoutWhatItNeedsNothingIsSaidAndTheTextNamesIt)
{
  add_region({0, 0, 100, 100});
  const auto fails_with = [&](const std::string & words) {
    const std::string problem = locate_all();
    EXPECT_TRUE(contains(problem, words)) << problem;
    EXPECT_FALSE(frame.has_depth);
    EXPECT_FALSE(frame.regions[0].position);
  };
  fails_with("no depth image within 0.1 s");
  add_depth(wall(640, 480, 2), {7, 110'000'000});
  fails_with("no depth image within 0.1 s");
  add_depth(wall(640, 480, 2), {7, 0}, "depth_optical");
  fails_with("aligned");
  store.set_intrinsics(0, Intrinsics{1280, 960, 0, 0, 0, 0});
  frame.height = 360;
  fails_with("1280 x 960");
  store.set_intrinsics(0, std::nullopt);
  fails_with("no camera info");
}

TEST_F(LocateTest, DepthOfALittleLaterAndWithoutAFrameIsTaken)
{
  add_region({0, 0, 100, 100});
  add_depth(wall(640, 480, 2), {7, 100'000'000}, "");
  EXPECT_EQ(locate_all(), "");
  EXPECT_TRUE(frame.regions[0].position);
}

class DepthPerceptionTest : public test::PerceptionTest
{
protected:
  DepthPerceptionTest() { settings.use_depth = true; }
  Frame bird(int sec) { return test::frame_of(test::scene(birds::SceneKind::SeenBird, 0), sec); }
  void add_depth(int sec, float metres)
  {
    perception->add_depth(0, {{test::stamp(sec), "camera0_optical"}, wall(96, 96, metres)});
  }
};

TEST_F(DepthPerceptionTest, AnAnswerCarriesThePosition)
{
  start();
  perception->set_intrinsics(0, Intrinsics{96, 96, 80, 80, 47.5, 47.5});
  add_depth(1, 2);
  const FramePrediction answer = answer_to(bird(1));
  ASSERT_TRUE(answer.has_depth);
  ASSERT_TRUE(answer.regions.at(0).position);
  EXPECT_NEAR(answer.regions[0].position->z, 2, 1e-6);
}

TEST_F(DepthPerceptionTest, WithoutDepthItIsAnsweredAtOnceAndTheLogSaysWhatIsMissing)
{
  start();
  EXPECT_FALSE(answer_to(bird(1)).has_depth);
  perception->set_intrinsics(0, Intrinsics{96, 96, 80, 80, 47.5, 47.5});
  add_depth(5, 2);
  EXPECT_FALSE(answer_to(bird(1)).has_depth) << "another moment's";
  ASSERT_FALSE(outputs.faults().empty());
  EXPECT_TRUE(contains(outputs.faults()[0], "no camera info")) << outputs.faults()[0];
}

TEST_F(DepthPerceptionTest, DepthIsNotLookedForUnlessAskedFor)
{
  settings.use_depth = false;
  start();
  perception->set_intrinsics(0, Intrinsics{96, 96, 80, 80, 47.5, 47.5});
  add_depth(1, 2);
  EXPECT_FALSE(answer_to(bird(1)).has_depth);
  EXPECT_TRUE(outputs.faults().empty());
}

}  // namespace
}  // namespace mgproto::perception
