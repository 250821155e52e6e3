// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers the whole figure, drawn from made-up evidence: its layout, and that no value breaks it. Text
// and heat map have their own tests; whether it is pleasant to look at is for a person to say.

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "mgproto_ros/error.hpp"
#include "not_finite.hpp"
#include "visual/difference.hpp"
#include "visual/palette.hpp"
#include "visual/reasoning_picture.hpp"
#include "visual/verdict_panel.hpp"

namespace mgproto::visual
{
namespace
{

struct Scene
{
  cv::Mat image;
  Prediction prediction;
  Manifest manifest;

  cv::Mat picture(const ReasoningOptions & options = {}) const
  {
    return reasoning_picture(image, prediction, manifest, options);
  }
};

/// A calibrated, projected model of two classes that knows a plain grey image.
Scene scene(cv::Size size = {320, 240}, int prototypes_per_class = 5)
{
  Scene result;
  result.image = cv::Mat(size, CV_8UC3, cv::Scalar(100, 110, 120));

  Manifest & manifest = result.manifest;
  manifest.classes = {"Cardinal", "Blue Jay"};
  manifest.class_priors = {0.5, 0.5};
  manifest.calibration = Calibration{0.6, {-5, -3, -2, -1, 0}};

  Prediction & prediction = result.prediction;
  prediction.log_likelihood = {-1.0f, -2.0f};
  prediction.posterior = {0.73f, 0.27f};
  prediction.log_density = -1.38f;
  prediction.verdict = Verdict::known;
  prediction.threshold = -3;
  prediction.typicality = 0.6f;
  prediction.map_rows = prediction.map_cols = 7;
  prediction.seen = {0, 0, static_cast<double>(size.width), static_cast<double>(size.height)};

  std::vector<std::uint8_t> patch;
  cv::imencode(".jpg", cv::Mat(24, 32, CV_8UC3, cv::Scalar(200, 40, 40)), patch);
  for (int c = 0; c < 2; ++c) {
    for (int m = 0; m < prototypes_per_class; ++m) {
      PrototypeEvidence evidence;
      evidence.prototype = c * prototypes_per_class + m;
      evidence.class_id = c;
      evidence.prior = evidence.contribution = 1.0f / static_cast<float>(prototypes_per_class);
      evidence.log_likelihood = -0.2f;
      evidence.row = 2 * m;  // each at a place of its own
      evidence.map.assign(49, 0.1f);
      evidence.map[24] = 0.8f;
      prediction.evidence.push_back(evidence);
      Provenance provenance;
      provenance.patch = patch;
      manifest.prototypes.emplace_back(provenance);
    }
  }
  return result;
}

bool shows(const cv::Mat & picture, const cv::Scalar & colour)
{
  cv::Mat found;
  cv::inRange(picture, colour, colour, found);
  return cv::countNonZero(found) > 100;
}

TEST(ReasoningPicture, has_a_fixed_layout_for_images_of_any_size)
{
  const cv::Size sizes[] = {{1, 1},    {3, 2},    {333, 251},  {251, 333},
                            {1, 4000}, {4000, 1}, {8000, 6000}};
  for (const cv::Size size : sizes) {
    Scene one = scene(size);
    one.prediction.evidence.front().box = {size.width / 3, size.height / 3, 1, 1};
    const cv::Mat picture = one.picture();
    EXPECT_EQ(picture.type(), CV_8UC3);
    EXPECT_EQ(picture.cols, kReasoningPictureWidth) << size;
    EXPECT_GT(picture.rows, 700) << size;
    EXPECT_LT(picture.rows, 1200) << size;
  }
}

TEST(ReasoningPicture, keeps_its_margins_free)
{
  Scene crowded = scene({4000, 300});
  crowded.manifest.classes = {std::string(300, 'W'), "K\xc3\xb6nig" + std::string(300, 'w')};
  crowded.prediction.log_density = -1e30f;
  crowded.manifest.class_priors = {1e-30, 1e-30};
  for (auto & evidence : crowded.prediction.evidence) {
    evidence.log_likelihood = -12345.678f;
    evidence.prototype = 123456789;
  }
  for (const int classes : {1, 2}) {
    const cv::Mat picture = crowded.picture({classes, 3});
    const cv::Mat paper(picture.size(), CV_8UC3, kPaper);
    const cv::Rect drawn = difference(picture, paper);
    EXPECT_GE(drawn.x, 20);
    EXPECT_GE(drawn.y, 20);
    EXPECT_LE(drawn.br().x, picture.cols - 20);
    EXPECT_LE(drawn.br().y, picture.rows - 20);
  }
}

TEST(ReasoningPicture, draws_the_box_where_the_prototype_fires)
{
  Scene one = scene({320, 240});
  const cv::Mat without = one.picture();
  Scene hot = one;
  hot.prediction.evidence.front().map.assign(49, 1.0f);
  const cv::Rect tile = difference(without, hot.picture());
  ASSERT_NEAR(static_cast<double>(tile.width) / tile.height, 320.0 / 240, 0.02);

  one.prediction.evidence.front().box = {80, 120, 160, 60};
  const cv::Rect drawn = difference(without(tile), one.picture()(tile));

  EXPECT_NEAR(drawn.x, 0.25 * tile.width, 1);
  EXPECT_NEAR(drawn.y, 0.5 * tile.height, 1);
  EXPECT_NEAR(drawn.width, 0.5 * tile.width, 1);
  EXPECT_NEAR(drawn.height, 0.25 * tile.height, 1);
}

TEST(ReasoningPicture, shows_a_pair_of_one_size_and_scale)
{
  // Grey images with one red box in each, of different sizes; ours is beside the whole image.
  const cv::Scalar red(0, 0, 200);
  Scene one = scene({320, 240}, 1);
  one.prediction.evidence.resize(1);
  const Box box{100, 80, 60, 40};
  cv::rectangle(one.image, cv::Rect(box.x, box.y, box.width, box.height), red, cv::FILLED);
  one.prediction.evidence.front().box = box;
  one.prediction.evidence.front().map.assign(49, 0.0f);
  cv::Mat patch(90, 90, CV_8UC3, cv::Scalar(100, 110, 120));
  Provenance & source = *one.manifest.prototypes.front();
  source.in_patch = {15, 25, 60, 40};
  cv::rectangle(patch, cv::Rect(15, 25, 60, 40), red, cv::FILLED);
  cv::imencode(".png", patch, source.patch);

  const cv::Mat picture = one.picture({1, 1});

  cv::Mat found;
  cv::inRange(picture, red, red, found);
  cv::Mat labels;
  cv::Mat parts;
  cv::Mat centres;
  const int count = cv::connectedComponentsWithStats(found, labels, parts, centres);
  std::vector<cv::Rect> boxes;  // inside the rings
  for (int i = 1; i < count; ++i) {
    const cv::Rect part(
      parts.at<int>(i, cv::CC_STAT_LEFT), parts.at<int>(i, cv::CC_STAT_TOP),
      parts.at<int>(i, cv::CC_STAT_WIDTH), parts.at<int>(i, cv::CC_STAT_HEIGHT));
    if (part.x > picture.cols / 2 && part.area() > 2000) {
      boxes.push_back(part);
    }
  }
  ASSERT_EQ(boxes.size(), 2u);
  EXPECT_NEAR(boxes[0].width, boxes[1].width, 2);
  EXPECT_NEAR(boxes[0].height, boxes[1].height, 2);
  EXPECT_NEAR(boxes[0].y, boxes[1].y, 2);
}

TEST(ReasoningPicture, cuts_a_box_that_leaves_the_image)
{
  Scene one = scene();
  const cv::Mat without = one.picture();
  Box & box = one.prediction.evidence.front().box;
  box = {0, 0, 320, 240};
  const cv::Rect tile = difference(without, one.picture());
  const int most = std::numeric_limits<int>::max();
  for (const Box & wild :
       {Box{-most, -most, most, most}, Box{most, most, most, most}, Box{-50, -50, most, most},
        Box{10, 10, -5, -5}}) {
    box = wild;
    const cv::Rect drawn = difference(without, one.picture());
    EXPECT_EQ(drawn & tile, drawn);
  }
}

TEST(ReasoningPicture, shows_the_verdict_by_its_colour)
{
  Scene one = scene();
  for (const Verdict verdict : {Verdict::known, Verdict::unknown, Verdict::uncalibrated}) {
    one.prediction.verdict = verdict;
    if (verdict == Verdict::uncalibrated) {
      one.manifest.calibration.reset();
      one.prediction.typicality.reset();
    }
    const cv::Mat picture = one.picture();
    EXPECT_TRUE(shows(picture, verdict_colour(verdict)));
    EXPECT_EQ(shows(picture, verdict_colour(Verdict::known)), verdict == Verdict::known);
  }
}

TEST(ReasoningPicture, moves_the_marker_with_the_score_and_keeps_it_on_the_scale)
{
  Scene one = scene();
  const auto marker = [&](float score) {
    one.prediction.score = score;
    cv::Mat panel(kVerdictPanelHeight, 600, CV_8UC3, kPaper);
    draw_verdict(panel, {0, 0}, 600, one.prediction, one.manifest);
    // The rows of the triangle, above the strip that begins at 238.
    cv::Mat found;
    const cv::Scalar green = verdict_colour(Verdict::known);
    cv::inRange(panel.rowRange(227, 236), green, green, found);
    const cv::Rect triangle = cv::boundingRect(found);
    return triangle.x + triangle.width / 2;
  };
  EXPECT_LT(marker(-4), marker(-2));
  EXPECT_LT(marker(-2), marker(-0.5f));
  EXPECT_NEAR(marker(-1e30f), 8, 2);
  EXPECT_NEAR(marker(1e30f), 592, 2);
}

TEST(ReasoningPicture, shows_a_neutral_tile_for_a_patch_that_is_missing_or_unreadable)
{
  Scene one = scene();
  const cv::Mat with = one.picture();
  auto & provenance = one.manifest.prototypes.front();

  provenance->patch = {0xff, 0xd8, 0xff, 0x00, 0x42};
  const cv::Mat unreadable = one.picture();
  provenance->patch.clear();
  const cv::Mat not_stored = one.picture();
  provenance.reset();
  const cv::Mat not_projected = one.picture();
  one.manifest.prototypes.clear();
  const cv::Mat none_projected = one.picture();

  const cv::Rect tile = difference(with, not_projected);
  EXPECT_EQ(difference(with, unreadable), tile);
  EXPECT_EQ(difference(with, not_stored), tile);
  EXPECT_TRUE(difference(none_projected(tile), not_projected(tile)).empty());
  EXPECT_FALSE(difference(unreadable, not_projected).empty());
}

TEST(ReasoningPicture, survives_values_that_are_not_finite)
{
  for (const float value : {kNaN, kInfinity, -kInfinity}) {
    Scene one = scene();
    Prediction & prediction = one.prediction;
    prediction.log_likelihood.assign(2, value);
    prediction.posterior.assign(2, value);
    prediction.log_density = value;
    prediction.class_id = -1;
    prediction.typicality = value;
    prediction.seen = {value, value, value, value};
    prediction.threshold = value;
    one.manifest.calibration->log_density.assign(5, value);
    for (auto & evidence : prediction.evidence) {
      evidence.prior = evidence.log_likelihood = evidence.contribution = value;
      evidence.map.assign(49, value);
    }
    EXPECT_EQ(one.picture().cols, kReasoningPictureWidth) << value;
  }
}

TEST(ReasoningPicture, survives_a_recognition_and_a_manifest_without_content)
{
  Scene one = scene();
  EXPECT_EQ(reasoning_picture(one.image, Prediction(), Manifest()).cols, kReasoningPictureWidth);
  EXPECT_EQ(reasoning_picture(one.image, one.prediction, Manifest()).cols, kReasoningPictureWidth);

  one.prediction.evidence.front().class_id = -3;
  one.prediction.evidence.front().prototype = -1;
  one.prediction.evidence.front().map.clear();
  one.manifest.calibration->log_density = {-2};
  EXPECT_EQ(one.picture({3, 3}).cols, kReasoningPictureWidth);
}

TEST(ReasoningPicture, grows_with_the_prototypes_asked_for_up_to_those_there_are)
{
  const Scene one = scene({320, 240}, 4);
  const int one_row = one.picture({2, 1}).rows;
  const int two_rows = one.picture({2, 2}).rows;
  EXPECT_GT(two_rows, one_row + 100);
  EXPECT_EQ(one.picture({2, 4}).rows, one.picture({2, 1000}).rows);
  EXPECT_LT(one.picture({2, 0}).rows, one_row);
  EXPECT_EQ(one.picture({2, -1}).rows, one.picture({2, 0}).rows);
  EXPECT_EQ(scene({320, 240}, 1).picture().rows, one_row);
}

TEST(ReasoningPicture, shows_only_the_classes_asked_for)
{
  const Scene one = scene();
  const cv::Scalar second = class_colour(1);
  EXPECT_TRUE(shows(one.picture({2, 3}), second));
  EXPECT_FALSE(shows(one.picture({1, 3}), second));
  EXPECT_FALSE(shows(one.picture({0, 3}), class_colour(0)));
  EXPECT_EQ(one.picture({2, 3}).rows, one.picture({9, 3}).rows);
}

TEST(ReasoningPicture, refuses_an_image_it_cannot_draw)
{
  EXPECT_THROW(reasoning_picture(cv::Mat(), Prediction(), Manifest()), ImageError);
  const cv::Mat grey(4, 4, CV_8U, cv::Scalar(0));
  EXPECT_THROW(reasoning_picture(grey, Prediction(), Manifest()), ImageError);
}

TEST(ReasoningPicture, ShowsPatchesOfPartsThatWereNotFound)
{
  Scene all_found = scene();
  Scene one_missing = scene();
  one_missing.prediction.evidence.back().log_likelihood = -6;  // at right angles, or nearly
  const cv::Mat before = all_found.picture();
  const cv::Mat after = one_missing.picture();
  ASSERT_EQ(before.size(), after.size());
  // The patch is blue, and the row for what is missing is the picture's last.
  const cv::Rect row(0, before.rows - kMargin - 50, before.cols, 44);
  const cv::Scalar blue(200, 40, 40);
  const auto pixels_like = [&](const cv::Mat & picture) {
    cv::Mat like;
    cv::inRange(picture(row), blue - cv::Scalar::all(12), blue + cv::Scalar::all(12), like);
    return cv::countNonZero(like);
  };
  EXPECT_EQ(pixels_like(before), 0);
  EXPECT_GT(pixels_like(after), 500);
}

}  // namespace
}  // namespace mgproto::visual
