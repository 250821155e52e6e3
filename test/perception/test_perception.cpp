// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// From a camera's frame to what a host publishes, with the model that comes with the package and
// drawn pictures. Does not cover a device that runs out of memory.

#include <gtest/gtest.h>

#include <opencv2/imgcodecs.hpp>
#include <vector>

#include "mgproto_ros/error.hpp"
#include "model/decision.hpp"
#include "perception/perception_test.hpp"

namespace mgproto::perception
{
namespace
{

using namespace std::chrono_literals;
using birds::SceneKind;
using test::frame_of;
using test::kDemoModel;
using test::kDemoModelId;
using test::PerceptionTest;
using test::scene;

TEST_F(PerceptionTest, NamesBirdsAndKeepsTheirHeaders)
{
  start();
  int right = 0, known = 0;
  for (int species = 0; species < 12; ++species) {
    const FramePrediction answer =
      answer_to(frame_of(scene(SceneKind::SeenBird, species), 100 + species));
    EXPECT_EQ(answer.header.stamp, test::stamp(100 + species));
    EXPECT_EQ(answer.header.frame_id, "camera0_optical");
    EXPECT_EQ(answer.width, 96);
    EXPECT_EQ(answer.model->id, kDemoModelId);
    ASSERT_EQ(answer.regions.size(), 1u);
    const RegionPrediction & region = answer.regions[0];
    EXPECT_EQ(region.region, (Box{0, 0, 96, 96}));
    EXPECT_EQ(region.detection_id, "");
    EXPECT_EQ(region.unknown, region.prediction.verdict != Verdict::known);
    EXPECT_GE(region.prediction.evidence.size(), 1u);
    EXPECT_LE(region.prediction.evidence.size(), 3u);
    right += region.prediction.class_id == species ? 1 : 0;
    known += region.unknown ? 0 : 1;
  }
  EXPECT_GE(right, 11);
  EXPECT_GE(known, 10);
  EXPECT_TRUE(outputs.faults().empty());
  EXPECT_EQ(outputs.calls().front(), "model " + kDemoModelId);
}

TEST_F(PerceptionTest, TexturesAreUnknownAndTheReasonIsGiven)
{
  start();
  int unknown = 0;
  for (int texture = 0; texture < 4; ++texture) {
    const FramePrediction answer = answer_to(frame_of(scene(SceneKind::Texture, texture), texture));
    const RegionPrediction & region = answer.regions.at(0);
    unknown += region.unknown ? 1 : 0;
    EXPECT_EQ(region.unknown, !region.unknown_reason.empty());
  }
  EXPECT_GE(unknown, 3);
}

TEST_F(PerceptionTest, TheThresholdFollowsTheShareThatIsAskedFor)
{
  start();
  const cv::Mat bird = scene(SceneKind::SeenBird, 1);
  const Calibration & calibration = *perception->model()->manifest.calibration;
  const RegionPrediction own = answer_to(frame_of(bird, 1)).regions.at(0);
  EXPECT_EQ(own.prediction.threshold, threshold_for(calibration));
  EXPECT_FALSE(own.unknown);

  Settings changed = *perception->settings();
  changed.ood_tpr = 1e-9;  // nearly nothing is accepted
  perception->set_settings(changed);
  const RegionPrediction strict = answer_to(frame_of(bird, 2)).regions.at(0);
  EXPECT_EQ(strict.prediction.threshold, calibration.joint.back());
  EXPECT_EQ(strict.prediction.log_density, own.prediction.log_density);
  EXPECT_EQ(strict.prediction.reason, Reason::below_threshold);
  EXPECT_TRUE(strict.unknown);
  EXPECT_NE(strict.reason, "");

  changed.ood_score = "log_density";  // as published
  perception->set_settings(changed);
  const RegionPrediction paper = answer_to(frame_of(bird, 3)).regions.at(0);
  EXPECT_EQ(paper.prediction.threshold, calibration.log_density.back());
  EXPECT_EQ(paper.prediction.score, paper.prediction.log_density);
}

TEST_F(PerceptionTest, AShareThatTheModelCannotPromiseIsRefused)
{
  settings.ood_tpr = 0.9999;
  try {
    start();
    ADD_FAILURE() << "0.9999 was promised";
  } catch (const ConfigError & error) {
    EXPECT_STREQ(
      error.what(),
      "ood.tpr: the model was calibrated on 240 images, too few to promise a tpr of 0.9999, which "
      "needs 9999");
  }
}

TEST_F(PerceptionTest, OfATooFastCameraTheNewestFrameIsAnsweredAndTheOthersAreCounted)
{
  start();
  const cv::Mat bird = scene(SceneKind::SeenBird, 1);
  for (int round = 0; round < 3; ++round) {
    outputs.hold();
    perception->add_frame(frame_of(bird, 100 * round));
    ASSERT_TRUE(outputs.wait_until_held());
    for (int i = 1; i <= 10; ++i) {
      perception->add_frame(frame_of(bird, 100 * round + i));
    }
    outputs.release();
    ASSERT_TRUE(outputs.wait_for_answers(2 * round + 2));
    EXPECT_EQ(outputs.answers().back().header.stamp.sec, 100 * round + 10);
  }
  const CameraStatistics statistics = settled();
  EXPECT_EQ(statistics.received, 33u);
  EXPECT_EQ(statistics.answered, 6u);
  EXPECT_EQ(statistics.dropped.at(Drop::newer_frame), 27u);
}

TEST_F(PerceptionTest, UnderAFloodOfFramesAllAreAccountedForAndAnswersAreInOrder)
{
  start();
  const cv::Mat bird = scene(SceneKind::SeenBird, 1);
  for (int i = 1; i <= 300; ++i) {
    perception->add_frame(frame_of(bird, i));
    std::this_thread::sleep_for(500us);
  }
  const CameraStatistics statistics = settled();
  EXPECT_EQ(statistics.received, 300u);
  EXPECT_EQ(statistics.answered + statistics.dropped.at(Drop::newer_frame), 300u);
  EXPECT_GT(statistics.dropped.at(Drop::newer_frame), 0u);
  ASSERT_TRUE(statistics.latency_p95);
  const std::vector<FramePrediction> answers = outputs.answers();
  for (std::size_t i = 1; i < answers.size(); ++i) {
    EXPECT_LT(answers[i - 1].header.stamp.sec, answers[i].header.stamp.sec);
  }
  EXPECT_EQ(answers.back().header.stamp.sec, 300);
}

TEST_F(PerceptionTest, AFrameThatIsTooOldIsDropped)
{
  settings.max_age = 5;
  start();
  Frame old = frame_of(scene(SceneKind::SeenBird, 1), 1);
  old.received -= 6s;
  perception->add_frame(std::move(old));
  EXPECT_EQ(settled().dropped.at(Drop::too_old), 1u);
  answer_to(frame_of(scene(SceneKind::SeenBird, 1), 2));  // this clock has not begun
}

TEST_F(PerceptionTest, TheAgeIsByTheNodesClock)
{
  settings.max_age = 5;
  start();
  outputs.node_time = 5000;
  answer_to(frame_of(scene(SceneKind::SeenBird, 1), 4996));
  perception->add_frame(frame_of(scene(SceneKind::SeenBird, 1), 4994));
  EXPECT_EQ(settled().dropped.at(Drop::too_old), 1u);
  outputs.node_time = 100;  // a recording that starts again
  answer_to(frame_of(scene(SceneKind::SeenBird, 1), 98));
}

TEST_F(PerceptionTest, ASilentCameraDoesNotHoldUpTheOther)
{
  start_with_two_cameras();
  const FramePrediction answer =
    answer_to(frame_of(scene(SceneKind::SeenBird, 3), 5, /*camera=*/1));
  EXPECT_EQ(answer.camera, 1);
  const auto statistics = perception->statistics();
  EXPECT_EQ(statistics[0].camera, "front");
  EXPECT_EQ(statistics[0].received, 0u);
  EXPECT_EQ(settled(1).answered, 1u);
  EXPECT_FALSE(perception->diagnosis().empty());
}

TEST_F(PerceptionTest, TwoCamerasThatWaitAreOneBatchAndPredictionsComeBeforePictures)
{
  outputs.evidence = outputs.overlay = true;
  start_with_two_cameras();
  outputs.hold();
  perception->add_frame(frame_of(scene(SceneKind::SeenBird, 0), 1, 0));
  ASSERT_TRUE(outputs.wait_until_held());
  perception->add_frame(frame_of(scene(SceneKind::SeenBird, 4), 2, 0));
  perception->add_frame(frame_of(scene(SceneKind::SeenBird, 5), 3, 1));
  outputs.release();
  ASSERT_TRUE(outputs.wait_for_call("overlay 3"));
  EXPECT_EQ(
    outputs.calls(), (std::vector<std::string>{
                       "model " + kDemoModelId, "answer 1", "evidence 1", "overlay 1", "answer 2",
                       "answer 3", "evidence 2", "evidence 3", "overlay 2", "overlay 3"}));
  const std::vector<FramePrediction> answers = outputs.answers();
  EXPECT_EQ(answers.at(1).regions.at(0).prediction.class_id, 4);
  EXPECT_EQ(answers.at(2).regions.at(0).prediction.class_id, 5);
  EXPECT_EQ(answers.at(2).camera, 1);
}

TEST_F(PerceptionTest, AFrameThatCannotBeUsedCostsNoOtherItsAnswer)
{
  start_with_two_cameras();
  std::vector<std::uint8_t> jpeg;
  cv::imencode(".jpg", scene(SceneKind::SeenBird, 2), jpeg);
  const std::vector<std::uint8_t> cut_short(jpeg.begin(), jpeg.begin() + 100);
  Frame without_pixels = frame_of(scene(SceneKind::SeenBird, 2), 3, 0);
  without_pixels.image.width = 0;  // passes decoding, and fails in the model

  int sec = 0;
  for (Frame & bad : std::vector<Frame>{
         test::compressed_frame(cut_short, 0), without_pixels, test::compressed_frame({}, 0),
         test::compressed_frame(cut_short, 0)}) {
    outputs.hold();
    perception->add_frame(test::compressed_frame(jpeg, ++sec, 1));
    ASSERT_TRUE(outputs.wait_until_held());
    bad.header.stamp.sec = ++sec;
    bad.received = Clock::now();
    const std::size_t before = outputs.answers().size();
    perception->add_frame(std::move(bad));
    perception->add_frame(test::compressed_frame(jpeg, ++sec, 1));
    outputs.release();
    ASSERT_TRUE(outputs.wait_for_answers(before + 2));
  }
  EXPECT_EQ(settled(0).invalid, 4u);
  EXPECT_EQ(settled(0).answered, 0u);
  EXPECT_EQ(settled(1).answered, 8u);
  EXPECT_EQ(settled(1).invalid, 0u);
  EXPECT_EQ(outputs.faults().size(), 1u) << "told once";
  EXPECT_EQ(outputs.faults().at(0).rfind("front: ", 0), 0u);
  EXPECT_EQ(answer_to(test::compressed_frame(jpeg, 99, 0)).regions.at(0).prediction.class_id, 2);
}

TEST_F(PerceptionTest, RejectedMessagesAreCountedAndEachKindIsToldOnce)
{
  start_with_two_cameras();
  for (int i = 0; i < 100; ++i) {
    perception->reject(0, "encoding", "encoding 'foo' is not supported");
    perception->reject(0, "step", "the step is too small");
    perception->reject(1, "step", "the step is too small");
  }
  EXPECT_EQ(perception->statistics()[0].invalid, 200u);
  EXPECT_EQ(perception->statistics()[1].invalid, 100u);
  EXPECT_EQ(
    outputs.faults(), (std::vector<std::string>{
                        "front: encoding 'foo' is not supported", "front: the step is too small",
                        "rear: the step is too small"}));
}

TEST_F(PerceptionTest, SettingsTakeEffectWithTheNextFrameUnlessTheyAreFixed)
{
  start();
  const cv::Mat texture = scene(SceneKind::Texture, 0);
  EXPECT_TRUE(answer_to(frame_of(texture, 1)).regions[0].unknown);

  Settings changed = *perception->settings();
  changed.evidence_prototypes = 1;
  changed.ood_leave = 3;
  changed.model = "/nowhere";
  changed.use_detections = true;
  perception->set_settings(changed);
  EXPECT_EQ(perception->settings()->model, kDemoModel);
  EXPECT_FALSE(perception->settings()->use_detections);

  const cv::Mat bird = scene(SceneKind::SeenBird, 1);
  std::vector<bool> unknown;
  for (int i = 0; i < 3; ++i) {
    const FramePrediction answer = answer_to(frame_of(bird, 10 + i));
    ASSERT_EQ(answer.regions[0].prediction.verdict, Verdict::known);
    EXPECT_EQ(answer.evidence_prototypes, 1);
    EXPECT_EQ(answer.regions[0].prediction.evidence.size(), 1u);
    unknown.push_back(answer.regions[0].unknown);
  }
  EXPECT_EQ(unknown, (std::vector<bool>{true, true, false}));
}

TEST_F(PerceptionTest, EvidenceAndPicturesAreMadeOnlyForListeners)
{
  settings.evidence_prototypes = 1;
  settings.overlay_prototypes = 5;
  start();
  const cv::Mat bird = scene(SceneKind::SeenBird, 3);
  FramePrediction answer = answer_to(frame_of(bird, 1));
  EXPECT_EQ(answer.evidence_prototypes, 1);
  EXPECT_EQ(answer.regions[0].prediction.evidence.size(), 1u);

  outputs.overlay = true;
  answer = answer_to(frame_of(bird, 2));
  ASSERT_TRUE(outputs.wait_for_call("overlay 2"));
  EXPECT_EQ(answer.evidence_prototypes, 1) << "what the overlay needs beyond that is not told";
  EXPECT_GT(answer.regions[0].prediction.evidence.size(), 1u);
  EXPECT_TRUE(outputs.evidence_answers().empty());

  outputs.evidence = true;
  answer_to(frame_of(bird, 3));
  ASSERT_TRUE(outputs.wait_for_call("overlay 3"));
  const Prediction prediction = outputs.evidence_answers().at(0).regions.at(0).prediction;
  EXPECT_EQ(
    prediction.evidence[0].map.size(),
    static_cast<std::size_t>(prediction.map_rows * prediction.map_cols));
  EXPECT_EQ(outputs.last_overlay().size(), bird.size());
  EXPECT_EQ(outputs.last_overlay().type(), CV_8UC3);
}

}  // namespace
}  // namespace mgproto::perception
