// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "visual/labels.hpp"

namespace mgproto::visual
{
namespace
{

const std::vector<std::string> kWords{
  "UNKNOWN, nearest is Northern_Flicker (not flagged yet)", "UNKNOWN, nearest is Northern_Flicker",
  "UNKNOWN"};

Label label_at(const cv::Rect & box) { return {box, kWords, kInk}; }

void expect_apart_and_within(
  const std::vector<PlacedLabel> & placed, const cv::Rect & area, const std::string & what)
{
  for (std::size_t i = 0; i < placed.size(); ++i) {
    EXPECT_EQ(placed[i].place & area, placed[i].place) << what;
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_TRUE((placed[i].place & placed[j].place).empty()) << what;
    }
  }
}

TEST(Labels, OfRandomBoxesCoverNoOtherAndStayWithinThePicture)
{
  std::mt19937 random(11);
  const auto between = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (int set = 0; set < 200; ++set) {
    const cv::Size picture(between(64, 1920), between(64, 1080));
    const cv::Rect area(0, 20, picture.width, picture.height - 40);
    const TextStyle style{static_cast<double>(between(9, 40)), kPaper, true};
    std::vector<Label> labels;
    for (int i = between(1, 40); i > 0; --i) {
      labels.push_back(label_at(
        {between(-50, picture.width), between(-50, picture.height), between(1, picture.width),
         between(1, picture.height)}));
    }
    const auto placed = place_labels(labels, area, style);
    expect_apart_and_within(placed, area, "set " + std::to_string(set));
    int covered = 0;
    std::set<std::size_t> numbers;
    for (const PlacedLabel & one : placed) {
      EXPECT_LE(text_width(one.text, style), one.place.width);
      EXPECT_LT(one.label, labels.size());
      covered += one.place.area();
      EXPECT_TRUE(numbers.insert(one.label).second) << "a label twice";
    }
    EXPECT_LE(6 * covered, area.area()) << "the picture is still to be seen";
  }
}

TEST(Labels, WhereThereIsRoomEachSaysAllOfIt)
{
  const TextStyle style{15, kPaper, true};
  const std::vector<Label> labels{
    label_at({50, 100, 600, 200}), label_at({50, 400, 600, 200}), label_at({700, 100, 600, 200})};
  const auto placed = place_labels(labels, {0, 0, 1400, 700}, style);
  ASSERT_EQ(placed.size(), 3u);
  for (const PlacedLabel & one : placed) {
    EXPECT_EQ(one.text, kWords[0]);
    EXPECT_EQ(one.place.br().y, labels[one.label].box.y) << "above its box";
  }
}

TEST(Labels, WhereThereIsLittleTheySayLessBeforeOneIsLeftOut)
{
  const TextStyle style{12, kPaper, true};
  std::vector<Label> labels;
  for (int i = 0; i < 6; ++i) {
    labels.push_back(label_at({10 + 75 * i, 60, 65, 60}));
  }
  const auto placed = place_labels(labels, {0, 20, 480, 160}, style);
  EXPECT_EQ(placed.size(), labels.size());
}

TEST(Labels, OfOneBoxManyTimesStandOverEachOther)
{
  const TextStyle style{15, kPaper, true};
  const std::vector<Label> labels(5, label_at({200, 150, 200, 200}));
  const auto placed = place_labels(labels, {0, 0, 640, 480}, style);
  EXPECT_EQ(placed.size(), 5u);
  expect_apart_and_within(placed, {0, 0, 640, 480}, "");
}

TEST(Labels, AnAreaThatIsTooSmallHasNone)
{
  const TextStyle style{15, kPaper, true};
  EXPECT_TRUE(place_labels({label_at({0, 0, 5, 5})}, {0, 0, 10, 10}, style).empty());
  EXPECT_TRUE(place_labels({label_at({0, 0, 5, 5})}, {0, 0, 0, 0}, style).empty());
  EXPECT_TRUE(place_labels({}, {0, 0, 100, 100}, style).empty());
}

TEST(Labels, AreDrawnInTheColourOfTheirBox)
{
  const TextStyle style{15, kPaper, true};
  cv::Mat canvas(200, 400, CV_8UC3, cv::Scalar::all(128));
  const std::vector<Label> labels{label_at({100, 100, 200, 50})};
  const auto placed = place_labels(labels, {0, 0, 400, 200}, style);
  draw_labels(canvas, labels, placed, style);
  ASSERT_EQ(placed.size(), 1u);
  const cv::Vec3b corner = canvas.at<cv::Vec3b>(placed[0].place.tl());
  EXPECT_EQ(cv::Scalar(corner[0], corner[1], corner[2]), kInk);
  EXPECT_EQ(canvas.at<cv::Vec3b>(190, 10), cv::Vec3b(128, 128, 128));
}

}  // namespace
}  // namespace mgproto::visual
