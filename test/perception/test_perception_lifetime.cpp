// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Models that come and go, ends in the middle of the work, hosts that throw.

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "mgproto_ros/error.hpp"
#include "perception/perception_test.hpp"
#include "temporary_directory.hpp"

namespace mgproto::perception
{
namespace
{

using namespace std::chrono_literals;
using birds::SceneKind;
using test::frame_of;
using test::kDemoHash;
using test::kDemoModel;
using test::kDemoModelId;
using test::PerceptionTest;
using test::scene;

TEST_F(PerceptionTest, TheModelIsSwappedUnderLoadAndAFailingSwapKeepsTheOldOne)
{
  const mgproto::test::TemporaryDirectory directory;
  const std::string other = directory / "other.safetensors";
  const std::string broken = directory / "broken.safetensors";
  std::filesystem::copy_file(kDemoModel, other);
  std::ofstream(broken) << "no checkpoint";
  start();
  std::atomic<bool> stop{false};
  std::thread camera([&] {
    const cv::Mat bird = scene(SceneKind::SeenBird, 1);
    for (int i = 1; !stop; ++i) {
      perception->add_frame(frame_of(bird, i));
      std::this_thread::sleep_for(2ms);
    }
  });
  ASSERT_TRUE(outputs.wait_for_answers(3));

  EXPECT_THROW(perception->load_model(broken), FileError);
  EXPECT_EQ(perception->model()->id, kDemoModelId);
  EXPECT_THROW(perception->load_model(directory / "missing"), FileError);
  EXPECT_EQ(perception->settings()->model, kDemoModel);
  const std::size_t before = outputs.answers().size();
  EXPECT_TRUE(outputs.wait_for_answers(before + 2));
  const std::vector<std::string> faults = outputs.faults();
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_NE(faults[0].find(broken), std::string::npos) << faults[0];
  const Diagnosis node = perception->diagnosis().front();  // whatever was answered since
  EXPECT_EQ(node.level, Level::error);
  EXPECT_EQ(
    node.message, "loading a model failed: " + std::string(directory / "missing") +
                    ": cannot open: No such file or directory");

  perception->load_model(other);
  const std::size_t swapped = outputs.answers().size();
  EXPECT_EQ(perception->model()->id, "other" + kDemoHash);
  EXPECT_EQ(perception->settings()->model, other);
  EXPECT_TRUE(outputs.wait_for_answers(swapped + 3));
  stop = true;
  camera.join();

  const std::vector<FramePrediction> answers = outputs.answers();
  for (std::size_t i = swapped; i < answers.size(); ++i) {
    EXPECT_EQ(answers[i].model->id, "other" + kDemoHash);
  }
  EXPECT_EQ(answers.front().model->version, 1);
  EXPECT_EQ(answers.back().model->version, 2);
  EXPECT_TRUE(outputs.wait_for_call("model other" + kDemoHash));
  EXPECT_EQ(outputs.faults(), faults);
  EXPECT_EQ(perception->diagnosis().front().message, "active");
}

TEST_F(PerceptionTest, ANewModelIsAnnouncedEvenIfNoFrameComes)
{
  start();
  EXPECT_TRUE(outputs.wait_for_call("model " + kDemoModelId));
}

TEST_F(PerceptionTest, DisabledItAnswersNothingAndHasNoModelAndEnabledItDoesAgain)
{
  start();
  const cv::Mat bird = scene(SceneKind::SeenBird, 1);
  std::uint64_t ignored = 0;
  for (int i = 0; i < 20; ++i) {
    perception->add_frame(frame_of(bird, 10 * i));
    perception->set_enabled(false);
    const std::size_t before = outputs.answers().size();
    EXPECT_EQ(perception->model(), nullptr);
    perception->add_frame(frame_of(bird, 10 * i + 1));
    ++ignored;
    perception->set_enabled(false);
    EXPECT_EQ(outputs.answers().size(), before);

    perception->set_enabled(true);
    EXPECT_NE(perception->model(), nullptr);
    EXPECT_EQ(answer_to(frame_of(bird, 10 * i + 2)).header.stamp.sec, 10 * i + 2);
  }
  const CameraStatistics statistics = settled();
  EXPECT_EQ(statistics.received, 60u);
  EXPECT_GE(statistics.dropped.at(Drop::disabled), ignored);
  EXPECT_TRUE(outputs.faults().empty());
}

TEST_F(PerceptionTest, InactiveItAnswersNothingButKeepsItsModel)
{
  start();
  const cv::Mat bird = scene(SceneKind::SeenBird, 1);
  const auto model = perception->model();
  for (int i = 0; i < 100; ++i) {
    perception->add_frame(frame_of(bird, 10 * i));
    perception->set_active(false);
    const std::size_t before = outputs.answers().size();
    EXPECT_EQ(perception->model(), model);
    perception->add_frame(frame_of(bird, 10 * i + 1));
    EXPECT_EQ(outputs.answers().size(), before);
    perception->set_active(true);
    EXPECT_EQ(answer_to(frame_of(bird, 10 * i + 2)).header.stamp.sec, 10 * i + 2);
  }
  EXPECT_EQ(settled().received, 300u);
  EXPECT_TRUE(outputs.faults().empty());
}

TEST_F(PerceptionTest, AModelThatIsGoneWhenItIsEnabledAgainLeavesItDisabled)
{
  const mgproto::test::TemporaryDirectory directory;
  settings.model = directory / "model.safetensors";
  std::filesystem::copy_file(kDemoModel, settings.model);
  start();
  perception->set_enabled(false);
  std::filesystem::remove(settings.model);
  EXPECT_THROW(perception->set_enabled(true), FileError);
  EXPECT_EQ(perception->model(), nullptr);

  perception->load_model(kDemoModel);  // tried and remembered
  EXPECT_EQ(perception->model(), nullptr);
  perception->set_enabled(true);
  EXPECT_EQ(answer_to(frame_of(scene(SceneKind::SeenBird, 1), 1)).model->path, kDemoModel);
}

TEST_F(PerceptionTest, AMissingModelOrDeviceIsAnErrorOfTheConstructor)
{
  settings.model = "/nowhere/model.safetensors";
  EXPECT_THROW(start(), FileError);
  settings.model = kDemoModel;
  settings.device = "toaster";
  EXPECT_THROW(start(), ConfigError);
}

TEST_F(PerceptionTest, DestructionInTheMiddleOfTheWorkEndsIt)
{
  const cv::Mat large = scene(SceneKind::SeenBird, 1, 1280, 960);
  outputs.overlay = true;
  for (int i = 0; i < 8; ++i) {
    start();
    perception->add_frame(frame_of(large, 2 * i));
    perception->add_frame(frame_of(large, 2 * i + 1));
    std::this_thread::sleep_for(i * 3ms);
    perception.reset();
    const std::size_t calls = outputs.calls().size();
    std::this_thread::sleep_for(10ms);
    EXPECT_EQ(outputs.calls().size(), calls);
  }
}

class OutputsThatThrow : public PerceptionTest, public ::testing::WithParamInterface<const char *>
{
};

TEST_P(OutputsThatThrow, CostNothingButTheirOwnMessage)
{
  outputs.evidence = outputs.overlay = true;
  outputs.throw_in(GetParam());
  start();
  const cv::Mat bird = scene(SceneKind::SeenBird, 1);
  perception->add_frame(frame_of(bird, 1));
  settled();
  perception->add_frame(frame_of(bird, 2));
  const CameraStatistics statistics = settled();
  EXPECT_EQ(statistics.answered + statistics.dropped.at(Drop::failed), 2u);
  EXPECT_EQ(statistics.dropped.at(Drop::failed), GetParam() == std::string("publish") ? 2u : 0u);

  outputs.throw_in("");
  answer_to(frame_of(bird, 3));
  EXPECT_TRUE(outputs.wait_for_call("overlay 3"));
}

INSTANTIATE_TEST_SUITE_P(
  Everywhere, OutputsThatThrow,
  ::testing::Values("model", "publish", "wants", "evidence", "overlay", "log"));

}  // namespace
}  // namespace mgproto::perception
