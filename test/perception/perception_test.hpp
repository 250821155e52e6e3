// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__PERCEPTION_TEST_HPP_
#define PERCEPTION__PERCEPTION_TEST_HPP_

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "birds/picture.hpp"
#include "demo_model.hpp"
#include "perception/frames.hpp"
#include "perception/perception.hpp"
#include "perception/recording_outputs.hpp"

namespace mgproto::perception::test
{

using mgproto::test::kDemoHash;
using mgproto::test::kDemoModel;
using mgproto::test::kDemoModelId;

inline cv::Mat scene(birds::SceneKind kind, int index, int width = 96, int height = 96)
{
  Random random{77, static_cast<std::uint64_t>(kind), static_cast<std::uint64_t>(index)};
  return birds::draw_scene(kind, index, width, height, random);
}

/// A perception of the model that comes with the package, on the CPU.
class PerceptionTest : public ::testing::Test
{
protected:
  PerceptionTest()
  {
    settings.model = kDemoModel;
    settings.device = "cpu";
    settings.num_threads = 1;
  }
  void start() { perception = std::make_unique<Perception>(settings, outputs); }
  void start_with_two_cameras()
  {
    settings.cameras = {"front", "rear"};
    start();
  }
  /// Sends a frame and waits for its answer.
  FramePrediction answer_to(Frame frame)
  {
    const std::size_t before = outputs.answers().size();
    perception->add_frame(std::move(frame));
    EXPECT_TRUE(outputs.wait_for_answers(before + 1));
    return outputs.answers().back();
  }
  static std::uint64_t all_drops(const CameraStatistics & statistics)
  {
    std::uint64_t sum = 0;
    for (const auto & [reason, count] : statistics.dropped) {
      sum += count;
    }
    return sum;
  }
  /// The statistics of a camera once every frame of it is counted; or after a while.
  CameraStatistics settled(int camera = 0)
  {
    for (int i = 0; i < 600; ++i) {
      const CameraStatistics now = perception->statistics()[camera];
      if (now.received == now.answered + now.invalid + all_drops(now)) {
        return now;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return perception->statistics()[camera];
  }

  Settings settings;
  RecordingOutputs outputs;  // outlives the perception
  std::unique_ptr<Perception> perception;
};

}  // namespace mgproto::perception::test

#endif  // PERCEPTION__PERCEPTION_TEST_HPP_
