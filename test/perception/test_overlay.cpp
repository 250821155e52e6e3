// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The frame with its answer on it: size, colours, and that nothing makes it fail.

#include <gtest/gtest.h>

#include <limits>
#include <opencv2/core.hpp>
#include <vector>

#include "model/image_file.hpp"
#include "perception/overlay.hpp"
#include "visual/palette.hpp"

namespace mgproto::perception
{
namespace
{

class OverlayTest : public ::testing::Test
{
protected:
  OverlayTest()
  {
    auto info = std::make_shared<ModelInfo>();
    info->manifest.classes = {"finch", "wren", "jay"};
    info->manifest.calibration = Calibration{0.75, {-12, -8, -6, -4}};
    model = info;
  }

  RegionPrediction region(Box box, Verdict verdict) const
  {
    RegionPrediction answer;
    answer.region = box;
    answer.unknown = verdict != Verdict::known;
    Prediction & prediction = answer.prediction;
    prediction.verdict = verdict;
    prediction.threshold = -9;
    prediction.class_id = 1;
    prediction.posterior = {0.1f, 0.7f, 0.2f};
    prediction.log_density = verdict == Verdict::known ? -5 : -14;
    prediction.map_rows = prediction.map_cols = 3;
    prediction.seen = {
      static_cast<double>(box.x), static_cast<double>(box.y), static_cast<double>(box.width),
      static_cast<double>(box.height)};
    for (int i = 0; i < 3; ++i) {
      PrototypeEvidence evidence;
      evidence.class_id = 1;
      evidence.contribution = 0.3f;
      evidence.box = {box.x + box.width / 4, box.y + box.height / 4, box.width / 2, box.height / 2};
      evidence.map = {0, 0, 0, 0, 1, 0, 0, 0, 0};
      prediction.evidence.push_back(evidence);
    }
    return answer;
  }

  FramePrediction whole(int width, int height, Verdict verdict) const
  {
    FramePrediction answer;
    answer.width = width;
    answer.height = height;
    answer.model = model;
    answer.regions = {region({0, 0, width, height}, verdict)};
    return answer;
  }

  static cv::Mat grey(int width, int height)
  {
    return cv::Mat(height, width, CV_8UC3, cv::Scalar::all(128));
  }
  cv::Mat draw(const FramePrediction & answer) const
  {
    return draw_overlay(view_of(grey(answer.width, answer.height)), answer, settings);
  }
  static bool has_colour(const cv::Mat & image, const cv::Scalar & colour)
  {
    cv::Mat same;
    cv::inRange(image, colour, colour, same);
    return cv::countNonZero(same) > 0;
  }

  std::shared_ptr<const ModelInfo> model;
  Settings settings;
};

TEST_F(OverlayTest, HasTheSizeOfTheFrameWhateverThatIs)
{
  for (const cv::Size size :
       {cv::Size(640, 480), {96, 96}, {1920, 1080}, {1, 1}, {3, 500}, {500, 3}, {33, 47}}) {
    const cv::Mat picture = draw(whole(size.width, size.height, Verdict::known));
    EXPECT_EQ(picture.size(), size);
    EXPECT_EQ(picture.type(), CV_8UC3);
  }
}

TEST_F(OverlayTest, TheBannerHasTheColourOfTheVerdict)
{
  settings.overlay_prototypes = 0;
  for (const int side : {24, 96, 480}) {
    for (const Verdict verdict : {Verdict::known, Verdict::unknown, Verdict::uncalibrated}) {
      const cv::Mat picture = draw(whole(side, side, verdict));
      const auto corner = picture.at<cv::Vec3b>(0, side - 1);
      EXPECT_EQ(cv::Scalar(corner[0], corner[1], corner[2]), visual::verdict_colour(verdict));
    }
  }
}

TEST_F(OverlayTest, TheBannerGrowsWithTheFrame)
{
  settings.overlay_prototypes = 0;
  for (const int side : {240, 480, 1080, 2160}) {
    const cv::Mat picture = draw(whole(side, side, Verdict::known));
    const cv::Mat column = picture.col(side - 1);
    int rows = 0;
    while (rows < side && column.at<cv::Vec3b>(rows, 0) == picture.at<cv::Vec3b>(0, side - 1)) {
      ++rows;
    }
    EXPECT_NEAR(static_cast<double>(rows) / side, 0.065, 0.005) << side;
  }
}

TEST_F(OverlayTest, ASmallFrameSaysItsVerdictInOneWord)
{
  const cv::Mat picture = draw(whole(64, 64, Verdict::unknown));
  const cv::Mat banner = picture.rowRange(0, 15);
  cv::Mat bright;
  cv::inRange(banner, cv::Scalar::all(200), cv::Scalar::all(255), bright);
  EXPECT_GT(cv::countNonZero(bright), 20);
  cv::inRange(banner.colRange(60, 64), cv::Scalar::all(200), cv::Scalar::all(255), bright);
  EXPECT_EQ(cv::countNonZero(bright), 0) << "nothing is cut off";
}

TEST_F(OverlayTest, ABorderlineFrameShowsOnWhichSideItIs)
{
  settings.overlay_prototypes = 0;
  FramePrediction answer = whole(1280, 720, Verdict::unknown);
  Prediction & prediction = answer.regions[0].prediction;
  prediction.threshold = -2.81;
  prediction.score = -2.81;
  const cv::Mat same = draw(answer);
  prediction.score = -2.8100001;
  const cv::Mat below = draw(answer);
  EXPECT_GT(cv::norm(same, below, cv::NORM_INF), 100) << "other digits";
}

TEST_F(OverlayTest, TheHeatMapIsBlendedWithTheOpacityOfTheSettings)
{
  settings.overlay_opacity = 0;
  const cv::Mat without = draw(whole(480, 480, Verdict::known));
  settings.overlay_opacity = 0.6;
  const cv::Mat with = draw(whole(480, 480, Verdict::known));
  EXPECT_EQ(without.at<cv::Vec3b>(240, 240), cv::Vec3b(128, 128, 128));
  EXPECT_NE(with.at<cv::Vec3b>(240, 240), cv::Vec3b(128, 128, 128));
  EXPECT_EQ(with.at<cv::Vec3b>(60, 60), cv::Vec3b(128, 128, 128)) << "clear where nothing is";
}

TEST_F(OverlayTest, WithoutPrototypesThereIsNeitherHeatMapNorBox)
{
  settings.overlay_prototypes = 0;
  const cv::Mat picture = draw(whole(480, 480, Verdict::known));
  EXPECT_EQ(picture.at<cv::Vec3b>(240, 240), cv::Vec3b(128, 128, 128));
  EXPECT_FALSE(has_colour(picture, visual::class_colour(0)));
}

TEST_F(OverlayTest, BoxesAreDrawnForAsManyPrototypesAsAskedFor)
{
  FramePrediction answer = whole(480, 480, Verdict::known);
  answer.regions[0].prediction.evidence[1].box = {10, 300, 50, 50};
  settings.overlay_prototypes = 1;
  EXPECT_FALSE(has_colour(draw(answer), visual::class_colour(1)));
  settings.overlay_prototypes = 2;
  EXPECT_TRUE(has_colour(draw(answer), visual::class_colour(1)));
}

TEST_F(OverlayTest, ThreePlacesAreLabelledAndNoLabelCoversAnother)
{
  FramePrediction answer = whole(480, 480, Verdict::known);
  auto & evidence = answer.regions[0].prediction.evidence;
  evidence.resize(4, evidence.front());  // all boxes at one place: only the first is to be seen
  settings.overlay_prototypes = 4;
  const cv::Mat picture = draw(answer);
  EXPECT_TRUE(has_colour(picture, visual::class_colour(1)));
  EXPECT_TRUE(has_colour(picture, visual::class_colour(2)));
  EXPECT_FALSE(has_colour(picture, visual::class_colour(3)));
}

TEST_F(OverlayTest, EveryRegionHasABoxInTheColourOfItsVerdict)
{
  FramePrediction answer = whole(640, 480, Verdict::known);
  answer.regions = {
    region({100, 100, 200, 200}, Verdict::known), region({400, 200, 100, 100}, Verdict::unknown)};
  const cv::Mat picture = draw(answer);
  EXPECT_TRUE(
    has_colour(picture(cv::Rect(90, 150, 20, 100)), visual::verdict_colour(Verdict::known)));
  EXPECT_TRUE(
    has_colour(picture(cv::Rect(390, 230, 20, 60)), visual::verdict_colour(Verdict::unknown)));
  EXPECT_EQ(picture.at<cv::Vec3b>(220, 220), cv::Vec3b(128, 128, 128)) << "the inside stays";
}

TEST_F(OverlayTest, ADetectionWithoutAPixelHasNeitherBoxNorLabel)
{
  FramePrediction answer = whole(640, 480, Verdict::known);
  answer.regions = {region({0, 0, 0, 0}, Verdict::unknown)};
  answer.regions[0].detection_id = "outside";
  EXPECT_FALSE(has_colour(draw(answer), visual::verdict_colour(Verdict::unknown)));
}

TEST_F(OverlayTest, AFrameWithoutRegionsIsShownToo)
{
  FramePrediction answer = whole(640, 480, Verdict::known);
  answer.regions.clear();
  EXPECT_EQ(draw(answer).size(), cv::Size(640, 480));
}

TEST_F(OverlayTest, AnyPixelFormatBecomesBgr)
{
  const cv::Mat rgb(100, 100, CV_8UC3, cv::Scalar(255, 0, 0));
  const cv::Mat mono(100, 100, CV_8UC1, cv::Scalar(77));
  FramePrediction answer = whole(100, 100, Verdict::known);
  answer.regions.clear();
  const ImageView red{rgb.data, 100, 100, rgb.step[0], PixelFormat::rgb};
  const ImageView grey_view{mono.data, 100, 100, mono.step[0], PixelFormat::mono};
  EXPECT_EQ(draw_overlay(red, answer, settings).at<cv::Vec3b>(80, 80), cv::Vec3b(0, 0, 255));
  EXPECT_EQ(draw_overlay(grey_view, answer, settings).at<cv::Vec3b>(80, 80), cv::Vec3b(77, 77, 77));
}

TEST_F(OverlayTest, ValuesThatAreMissingOrNotFiniteAreSurvived)
{
  FramePrediction answer = whole(640, 480, Verdict::unknown);
  RegionPrediction & region = answer.regions[0];
  region.prediction.class_id = -1;
  region.prediction.log_density = std::numeric_limits<float>::quiet_NaN();
  region.prediction.evidence[0].map = {1};
  region.prediction.evidence[1].box = {-1000, 5, 0, 100000};
  region.prediction.evidence[2].contribution = std::numeric_limits<float>::infinity();
  region.prediction.seen = {0, 0, 0, 0};
  EXPECT_NO_THROW(draw(answer));

  auto uncalibrated = std::make_shared<ModelInfo>(*model);
  uncalibrated->manifest.calibration.reset();
  uncalibrated->manifest.classes = {std::string(5000, 'x'), "\xff\xfe\n%s"};
  answer.model = uncalibrated;
  region.prediction.class_id = 1;
  EXPECT_NO_THROW(draw(answer));
  region.prediction.class_id = 0;
  region.prediction.verdict = Verdict::uncalibrated;
  region.prediction.threshold = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NO_THROW(draw(answer));
}

}  // namespace
}  // namespace mgproto::perception
