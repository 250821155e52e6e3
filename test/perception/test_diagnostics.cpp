// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers the state, level and message of a camera and of the node in every condition, and the
// values beside them.

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perception/diagnostics.hpp"

namespace mgproto::perception
{
namespace
{

NodeCondition healthy_node()
{
  NodeCondition condition;
  condition.model_id = "birds@12ab34cd";
  condition.model_path = "/models/birds.safetensors";
  condition.device = "cpu";
  return condition;
}

CameraStatistics healthy_camera()
{
  CameraStatistics camera;
  camera.camera = "front";
  camera.input_rate = 30;
  camera.output_rate = 29.5;
  camera.latency_p50 = 0.04;
  camera.latency_p95 = 0.05;
  camera.latency_max = 0.06;
  camera.unknown_share = 0.1;
  camera.drift = 0.05;
  camera.seconds_since_start = 100;
  camera.seconds_since_frame = 0.02;
  camera.received = 3000;
  camera.answered = 2950;
  camera.invalid = 3;
  camera.dropped = {{Drop::newer_frame, 50}, {Drop::failed, 0}};
  return camera;
}

CameraStatistics new_camera(double seconds_since_start)
{
  CameraStatistics camera;
  camera.seconds_since_start = seconds_since_start;
  return camera;
}

Diagnosis of_camera(
  const CameraStatistics & camera, const Settings & settings = {},
  const NodeCondition & condition = healthy_node())
{
  return diagnose(condition, {camera}, settings).at(1);
}

Diagnosis of_node(const NodeCondition & condition) { return diagnose(condition, {}, {}).at(0); }

std::map<std::string, std::string> values(const Diagnosis & diagnosis)
{
  return {diagnosis.values.begin(), diagnosis.values.end()};
}

void expect(
  const Diagnosis & diagnosis, const std::string & state, Level level, const std::string & message)
{
  EXPECT_EQ(values(diagnosis)["state"], state);
  EXPECT_EQ(static_cast<int>(diagnosis.level), static_cast<int>(level)) << diagnosis.message;
  EXPECT_EQ(diagnosis.message, message);
}

TEST(Diagnostics, AreOneForTheNodeAndOneForEachCamera)
{
  CameraStatistics unnamed = healthy_camera();
  unnamed.camera = "";

  const auto all = diagnose(healthy_node(), {healthy_camera(), unnamed}, {});

  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].name, "node");
  EXPECT_EQ(all[1].name, "front: recognition");
  EXPECT_EQ(all[2].name, "recognition");
}

TEST(Diagnostics, OfAHealthyCameraAreOkWithItsNumbers)
{
  const Diagnosis diagnosis = of_camera(healthy_camera());

  expect(diagnosis, "active", Level::ok, "active");
  auto found = values(diagnosis);
  EXPECT_EQ(found["input rate (Hz)"], "30.00");
  EXPECT_EQ(found["output rate (Hz)"], "29.50");
  EXPECT_EQ(found["latency, median (s)"], "0.0400");
  EXPECT_EQ(found["latency, 95th percentile (s)"], "0.0500");
  EXPECT_EQ(found["latency, maximum (s)"], "0.0600");
  EXPECT_EQ(found["unknown share (0 to 1)"], "0.100");
  EXPECT_EQ(found["drift (0 to 1)"], "0.050");
  EXPECT_EQ(found["time since last image (s)"], "0.02");
  EXPECT_EQ(found["images received"], "3000");
  EXPECT_EQ(found["images answered"], "2950");
  EXPECT_EQ(found["messages invalid"], "3");
  EXPECT_EQ(found["images dropped: newer frame"], "50");
  EXPECT_EQ(found["images dropped: failed"], "0");
}

TEST(Diagnostics, HaveTheSameKeysInEveryState)
{
  const StatisticsCollector collector("front");
  const Diagnosis silent = of_camera(collector.summary(Clock::now(), std::nullopt));

  EXPECT_EQ(silent.values.size(), 18u);
  EXPECT_EQ(values(silent)["drift (0 to 1)"], "n/a");
  EXPECT_EQ(values(silent)["time since last image (s)"], "n/a");
  EXPECT_EQ(values(silent)["images dropped: no detections"], "0");
}

TEST(Diagnostics, WarnWhileTheFirstImageIsAwaited)
{
  Settings settings;
  settings.diagnostics_stale_after = 2;
  const std::string message = "waiting for the first image";

  expect(of_camera(new_camera(0.5), settings), "waiting", Level::warn, message);
  expect(of_camera(new_camera(10), settings), "waiting", Level::warn, message);
  expect(of_camera(new_camera(10.1), settings), "waiting", Level::error, message);
  settings.diagnostics_stale_after = 0;
  expect(of_camera(new_camera(1e6), settings), "waiting", Level::warn, message);
}

TEST(Diagnostics, TellAStoppedCameraFirstAsWarningThenAsError)
{
  Settings settings;
  settings.diagnostics_stale_after = 2;
  CameraStatistics camera = healthy_camera();

  camera.seconds_since_frame = 2;
  expect(of_camera(camera, settings), "active", Level::ok, "active");
  camera.seconds_since_frame = 3.21;
  expect(of_camera(camera, settings), "stale", Level::warn, "no image for 3.2 s");
  camera.seconds_since_frame = 11;
  expect(of_camera(camera, settings), "stale", Level::error, "no image for 11 s");
  settings.diagnostics_stale_after = 0;
  expect(of_camera(camera, settings), "active", Level::ok, "active");
}

TEST(Diagnostics, TellACameraWhoseImagesAreAllRejected)
{
  CameraStatistics camera = healthy_camera();
  camera.seconds_since_invalid = 0.1;
  expect(of_camera(camera), "active", Level::ok, "active");

  const std::string message = "every image is rejected, 3 so far: see the log";
  camera.seconds_since_frame = 2.5;
  expect(of_camera(camera), "rejecting", Level::error, message);
  camera.seconds_since_frame.reset();
  expect(of_camera(camera), "rejecting", Level::error, message);

  Settings settings;
  settings.diagnostics_stale_after = 0;
  camera.seconds_since_frame = 9;
  expect(of_camera(camera, settings), "active", Level::ok, "active");
  camera.seconds_since_frame = 11;
  expect(of_camera(camera, settings), "rejecting", Level::error, message);

  camera.seconds_since_invalid = 3;  // the garbage has stopped, too
  expect(of_camera(camera), "stale", Level::error, "no image for 11 s");
}

TEST(Diagnostics, TellACameraWhoseImagesAreNeverAnswered)
{
  CameraStatistics camera = healthy_camera();
  camera.seconds_unanswered = 1;
  expect(of_camera(camera), "active", Level::ok, "active");

  camera.seconds_unanswered = 4;
  expect(
    of_camera(camera), "unanswered", Level::warn, "images come, but none was answered for 4.0 s");
  camera.seconds_unanswered = 40;
  camera.last_drop = Drop::no_detections;
  expect(
    of_camera(camera), "unanswered", Level::error,
    "images come, but none was answered for 40 s (last reason: no detections)");

  Settings slow;
  slow.max_rate = 0.04;  // one in 25 s
  expect(of_camera(camera, slow), "active", Level::ok, "active");
}

TEST(Diagnostics, WarnBeyondEachLimit)
{
  Settings settings;
  settings.diagnostics_max_unknown_share = 0.5;
  settings.diagnostics_max_latency = 0.2;
  settings.diagnostics_max_drift = 0.25;
  CameraStatistics camera = healthy_camera();

  camera.unknown_share = 0.62;
  expect(of_camera(camera, settings), "active", Level::warn, "62 % unknown, more than 50 %");
  camera = healthy_camera();
  camera.latency_p95 = 0.25;
  expect(
    of_camera(camera, settings), "active", Level::warn, "latency of 0.250 s, more than 0.200 s");
  camera.drift = 0.3;
  expect(
    of_camera(camera, settings), "active", Level::warn,
    "latency of 0.250 s, more than 0.200 s; images differ from the calibration's: drift of 0.30, "
    "more than 0.25");
}

TEST(Diagnostics, DoNotWarnAtALimitOrWithoutOne)
{
  Settings settings;
  settings.diagnostics_max_unknown_share = 0.1;
  settings.diagnostics_max_latency = 0.05;
  settings.diagnostics_max_drift = 0.05;
  expect(of_camera(healthy_camera(), settings), "active", Level::ok, "active");

  CameraStatistics bad = healthy_camera();
  bad.unknown_share = 1;
  bad.latency_p95 = 100;
  bad.drift = 1;
  settings.diagnostics_max_unknown_share = 0;
  settings.diagnostics_max_latency = 0;
  settings.diagnostics_max_drift = 0;
  expect(of_camera(bad, settings), "active", Level::ok, "active");
}

TEST(Diagnostics, OfAHealthyNodeAreOkWithItsModel)
{
  const Diagnosis diagnosis = of_node(healthy_node());

  EXPECT_EQ(diagnosis.level, Level::ok);
  EXPECT_EQ(diagnosis.message, "active");
  auto found = values(diagnosis);
  EXPECT_EQ(found["enabled"], "true");
  EXPECT_EQ(found["model"], "birds@12ab34cd");
  EXPECT_EQ(found["model path"], "/models/birds.safetensors");
  EXPECT_EQ(found["calibrated"], "true");
  EXPECT_EQ(found["device"], "cpu");
  EXPECT_GT(std::stod(found["memory (MB)"]), 1);
}

TEST(Diagnostics, WarnOnceAboutADisabledNode)
{
  NodeCondition disabled;
  disabled.enabled = false;
  CameraStatistics camera = healthy_camera();
  camera.seconds_since_frame = 100;
  camera.unknown_share = 1;

  const Diagnosis node = of_node(disabled);
  EXPECT_EQ(node.level, Level::warn);
  EXPECT_EQ(node.message, "disabled, no image is answered");
  expect(of_camera(camera, {}, disabled), "disabled", Level::ok, "disabled");
  disabled.enabled = true;
  disabled.active = false;
  EXPECT_EQ(of_node(disabled).message, "inactive, no image is answered");
  expect(of_camera(camera, {}, disabled), "inactive", Level::ok, "inactive");
}

TEST(Diagnostics, WarnOnceAboutAModelWithoutCalibration)
{
  NodeCondition uncalibrated = healthy_node();
  uncalibrated.calibration_problem = "the model is not calibrated";
  CameraStatistics camera = healthy_camera();
  camera.unknown_share = 1;
  camera.drift.reset();

  const Diagnosis node = of_node(uncalibrated);
  EXPECT_EQ(node.level, Level::warn);
  EXPECT_EQ(node.message, "the model is not calibrated; everything is unknown");
  expect(of_camera(camera, {}, uncalibrated), "active", Level::ok, "active");
}

TEST(Diagnostics, TellTheLastErrorOfTheModelAndOfWhoCommandsIt)
{
  NodeCondition failed = healthy_node();
  failed.command_error = "loading a model failed: /models/new.safetensors: cannot be read";
  EXPECT_EQ(of_node(failed).level, Level::error);
  EXPECT_EQ(of_node(failed).message, failed.command_error);

  failed.last_error = std::exchange(failed.command_error, "");
  EXPECT_EQ(of_node(failed).level, Level::error);
  EXPECT_EQ(of_node(failed).message, failed.last_error);

  failed.enabled = false;
  EXPECT_EQ(of_node(failed).level, Level::error);
  EXPECT_EQ(of_node(failed).message, failed.last_error + "; disabled, no image is answered");
}

TEST(Diagnostics, WarnAboutANodeWithoutModel)
{
  const Diagnosis diagnosis = of_node(NodeCondition());

  EXPECT_EQ(diagnosis.level, Level::warn);
  EXPECT_EQ(diagnosis.message, "no model is loaded");
  EXPECT_EQ(values(diagnosis)["model"], "n/a");
}

TEST(Diagnostics, KnowTheMemoryOfTheProcess)
{
  const std::size_t before = resident_memory();
  const std::vector<char> block(64 << 20, 'x');

  EXPECT_GT(before, std::size_t{1} << 20);
  EXPECT_GT(resident_memory(), before + block.size() / 2);
}

}  // namespace
}  // namespace mgproto::perception
