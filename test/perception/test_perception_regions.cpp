// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Answers about the regions that a detector found.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mgproto_ros/recognizer.hpp"
#include "perception/perception_test.hpp"

namespace mgproto::perception
{
namespace
{

using birds::SceneKind;
using test::frame_of;
using test::kDemoModel;
using test::PerceptionTest;
using test::scene;

class WithDetections : public PerceptionTest
{
protected:
  WithDetections()
  {
    settings.use_detections = true;
    // A bird in a larger picture.
    bird = scene(SceneKind::SeenBird, 5);
    picture = cv::Mat(240, 320, CV_8UC3, cv::Scalar::all(90));
    bird.copyTo(picture(cv::Rect(200, 100, 96, 96)));
  }
  Header header(int sec) const { return {test::stamp(sec), "detector"}; }

  cv::Mat bird, picture;
  const Region on_bird{{200, 100, 96, 96}, "bird", "animal", 0.9};
  const Region at_corner{{-20, -20, 60, 60}, "corner"};
  const Region outside{{5000, 0, 10, 10}, "outside", "car"};
  const Region unusable{{}, "unusable", "", 0.0, "its box has no size"};
};

TEST_F(WithDetections, EachRegionIsAnsweredAsItsPixelsAloneInPixelsOfTheFrame)
{
  start();
  perception->add_frame(frame_of(picture, 1));
  perception->add_detections(0, header(1), {on_bird, outside, at_corner, unusable});
  ASSERT_TRUE(outputs.wait_for_answers(1));
  const FramePrediction answer = outputs.answers().at(0);
  ASSERT_EQ(answer.regions.size(), 4u);
  const RegionPrediction & region = answer.regions[0];
  EXPECT_EQ(region.detection_id, "bird");
  EXPECT_EQ(region.detection_class, "animal");
  EXPECT_EQ(region.detection_score, 0.9);
  EXPECT_EQ(region.problem, "");
  EXPECT_EQ(region.region, on_bird.box);
  EXPECT_EQ(answer.header.frame_id, "camera0_optical");

  Recognizer::Options one_thread;
  one_thread.num_threads = 1;
  Recognizer alone(kDemoModel, one_thread);
  const Prediction expected =
    alone.recognize({bird.data, 96, 96, bird.step[0], PixelFormat::bgr}, {1, {}, 3});
  EXPECT_EQ(region.prediction.class_id, 5);
  EXPECT_NEAR(region.prediction.log_density, expected.log_density, 1e-4);
  EXPECT_EQ(region.prediction.seen.x, 200);
  EXPECT_EQ(region.prediction.seen.y, 100);
  const Box box = expected.evidence[0].box;
  EXPECT_EQ(
    region.prediction.evidence.at(0).box, (Box{box.x + 200, box.y + 100, box.width, box.height}));

  EXPECT_EQ(answer.regions[2].region, (Box{0, 0, 40, 40}));

  for (const int without : {1, 3}) {
    const RegionPrediction & nothing = answer.regions[without];
    EXPECT_TRUE(nothing.unknown);
    EXPECT_EQ(nothing.prediction.verdict, Verdict::unknown);
    EXPECT_EQ(nothing.prediction.class_id, -1);
    EXPECT_TRUE(std::isnan(nothing.prediction.log_density));
    EXPECT_EQ(nothing.reason, nothing.unknown_reason);
  }
  EXPECT_EQ(answer.regions[1].detection_class, "car");
  EXPECT_EQ(answer.regions[1].reason, "the detection has no pixel in the image of 320 x 240");
  EXPECT_EQ(answer.regions[3].reason, "its box has no size");
  ASSERT_EQ(outputs.faults().size(), 1u);
  EXPECT_NE(outputs.faults()[0].find("'outside'"), std::string::npos);
}

TEST_F(WithDetections, RegionsMayComeBeforeTheirImageAndMayBeNone)
{
  start();
  perception->add_detections(0, header(1), {on_bird});
  EXPECT_EQ(answer_to(frame_of(picture, 1)).regions.size(), 1u);

  outputs.overlay = true;
  perception->add_detections(0, header(2), {});
  EXPECT_TRUE(answer_to(frame_of(picture, 2)).regions.empty());
  perception->add_detections(0, header(3), {outside});
  EXPECT_EQ(answer_to(frame_of(picture, 3)).regions.size(), 1u);
  EXPECT_EQ(settled().answered, 3u);
}

TEST_F(WithDetections, ADetectorThatSaysNothingLeavesTheFrameCountedAsSuch)
{
  settings.detections_max_wait = 0.01;
  start();
  perception->add_frame(frame_of(picture, 1));
  EXPECT_EQ(settled().dropped.at(Drop::no_detections), 1u);
  perception->add_detections(0, header(1), {on_bird});
  EXPECT_TRUE(outputs.answers().empty());
}

TEST_F(WithDetections, MoreRegionsThanFitIntoOneBatchAreAllAnswered)
{
  start();
  std::vector<Region> many;
  for (int i = 0; i < 70; ++i) {
    many.push_back({{i, i, 96, 96}, std::to_string(i)});
  }
  perception->add_detections(0, header(1), many);
  const FramePrediction answer = answer_to(frame_of(picture, 1));
  ASSERT_EQ(answer.regions.size(), 70u);
  for (int i = 0; i < 70; ++i) {
    EXPECT_EQ(answer.regions[i].detection_id, std::to_string(i));
    EXPECT_EQ(answer.regions[i].prediction.posterior.size(), 12u);
    EXPECT_EQ(answer.regions[i].prediction.seen.x, i);
  }
}

}  // namespace
}  // namespace mgproto::perception
