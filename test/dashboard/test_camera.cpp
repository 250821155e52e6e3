// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// How predictions and overlays are put together, and what is kept of them. The time is given, not
// waited for.

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "dashboard/camera.hpp"
#include "dashboard/json_text.hpp"

namespace mgproto::dashboard
{
namespace
{

using nlohmann::json;
using namespace std::chrono_literals;

class CameraTest : public ::testing::Test
{
protected:
  void predict(int frame, const std::string & detection_id = "")
  {
    Prediction prediction;
    prediction.stamp = {frame, 0};
    prediction.detection_id = detection_id;
    prediction.class_name = "class of frame " + std::to_string(frame);
    predict(prediction);
  }
  void predict(const Prediction & prediction)
  {
    camera_.add(prediction, json_text(prediction), now_, ++version_);
  }
  void overlay(int frame, std::size_t bytes = 10)
  {
    camera_.add(
      Picture{{frame, 0}, std::make_shared<const Bytes>(bytes, std::uint8_t{1})}, now_, ++version_);
  }
  /// All that is shown now.
  json everything() const { return json::parse(camera_.news_since(0, now_)); }
  int shown_frame() const { return everything()["prediction"]["sec"]; }

  Version version_ = 1;
  Clock::time_point now_ = Clock::now();
  Camera camera_{"front", version_};
};

TEST_F(CameraTest, APredictionIsHeldBackUntilItsOverlayComes)
{
  predict(1);
  overlay(1);
  now_ += 100ms;

  predict(2);
  EXPECT_EQ(shown_frame(), 1);

  overlay(2);
  EXPECT_EQ(shown_frame(), 2);
  EXPECT_EQ(everything()["picture"]["sec"], 2);
}

TEST_F(CameraTest, AnOverlayThatIsLateIsShownWithItsOwnPrediction)
{
  predict(1);
  overlay(1);
  predict(2);
  predict(3);

  overlay(2);

  EXPECT_EQ(shown_frame(), 2);
}

TEST_F(CameraTest, AnOverlayMayComeBeforeItsPrediction)
{
  predict(1);
  overlay(1);
  overlay(2);
  EXPECT_EQ(shown_frame(), 1);

  predict(2);

  EXPECT_EQ(shown_frame(), 2);
}

TEST_F(CameraTest, WithoutOverlaysPredictionsAreShownAtOnce)
{
  predict(1);
  EXPECT_EQ(shown_frame(), 1);
  predict(2);
  EXPECT_EQ(shown_frame(), 2);
  EXPECT_FALSE(everything().contains("picture"));
}

TEST_F(CameraTest, PredictionsGoOnWhenOverlaysStop)
{
  predict(1);
  overlay(1);
  now_ += 1100ms;

  predict(2);

  EXPECT_EQ(shown_frame(), 2);
}

TEST_F(CameraTest, RegionsOfOneFrameAreShownTogether)
{
  predict(1, "a");
  predict(1, "b");
  overlay(1);

  const json regions = everything()["prediction"]["regions"];

  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[0]["detection_id"], "a");
  EXPECT_EQ(regions[1]["detection_id"], "b");
}

TEST_F(CameraTest, ARegionThatComesAgainBeginsANewFrameEvenWithoutStamps)
{
  predict(0, "a");
  predict(0, "b");

  predict(0, "a");

  EXPECT_EQ(everything()["prediction"]["regions"].size(), 1u);
}

TEST_F(CameraTest, NothingIsToldTwice)
{
  predict(1);
  overlay(1);
  EXPECT_EQ(camera_.news_since(version_, now_), "");
  const Version seen = version_;

  predict(2);

  const json news = json::parse(camera_.news_since(seen, now_));
  EXPECT_FALSE(news.contains("picture"));
  EXPECT_FALSE(news.contains("prediction"));  // waits for its overlay
  EXPECT_EQ(news["points"].size(), 1u);
}

TEST_F(CameraTest, LogDensitiesAreKeptForAMinuteAndNotWithoutEnd)
{
  predict(1);
  now_ += 61s;
  predict(2);
  EXPECT_EQ(everything()["points"].size(), 1u);

  for (int frame = 3; frame < 5000; ++frame) {
    predict(frame);
  }
  EXPECT_LE(everything()["points"].size(), 1200u);
}

TEST_F(CameraTest, PointsCarryAgeDensityThresholdAndVerdict)
{
  Prediction prediction;
  prediction.score = -2.5;
  prediction.status = Verdict::uncalibrated;
  predict(prediction);
  now_ += 2s;

  EXPECT_EQ(everything()["points"], json::parse(R"([[2, -2.5, null, "uncalibrated"]])"));
}

TEST_F(CameraTest, OldPicturesAreDroppedByNumberAndBySize)
{
  for (int frame = 0; frame < 30; ++frame) {
    overlay(frame);
  }
  EXPECT_EQ(camera_.picture(2), nullptr);
  EXPECT_NE(camera_.picture(version_ - 10), nullptr);

  overlay(30, 20u * 1024 * 1024);
  overlay(31, 20u * 1024 * 1024);
  EXPECT_EQ(camera_.picture(version_ - 1), nullptr);
  EXPECT_NE(camera_.picture(version_), nullptr);
  EXPECT_EQ(camera_.picture(0), camera_.picture(version_));
}

}  // namespace
}  // namespace mgproto::dashboard
