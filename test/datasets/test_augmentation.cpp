// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers the ranges and rates of what is drawn, where the geometry puts a marker, what each colour
// change does to a pixel, and that nothing changes when all is switched off.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <set>
#include <string>
#include <vector>

#include "datasets/augmentation.hpp"
#include "datasets/colour.hpp"
#include "datasets/image.hpp"
#include "datasets/warp.hpp"
#include "mgproto_ros/error.hpp"
#include "model/image_file.hpp"

namespace mgproto
{
namespace
{

constexpr int kDraws = 4000;

AugmentationConfig nothing()
{
  AugmentationConfig config;
  config.perspective = 0;
  config.brightness = config.contrast = config.saturation = config.hue = 0;
  config.flip_probability = 0;
  config.rotation = config.shear = config.translation = 0;
  config.crop = false;
  return config;
}

/// Values of 0..1 instead of normalised ones.
PreprocessingConfig plain(int size)
{
  PreprocessingConfig config;
  config.size = size;
  config.mean = {0, 0, 0};
  config.std = {1, 1, 1};
  return config;
}

cv::Mat noise(int width, int height)
{
  cv::Mat image(height, width, CV_8UC3);
  cv::RNG random(3);
  random.fill(image, cv::RNG::UNIFORM, 0, 256);
  return image;
}

std::vector<float> augmented(
  const AugmentationConfig & config, const PreprocessingConfig & preprocessing,
  const cv::Mat & image, std::uint64_t key)
{
  std::vector<float> input(3 * preprocessing.size * preprocessing.size, -99.0f);
  Augmenter augmenter(config, preprocessing);
  Random random{1, 2, key};
  augmenter(image, random, input.data());
  return input;
}

std::vector<float> preprocessed(const PreprocessingConfig & config, const cv::Mat & image)
{
  std::vector<float> input(3 * config.size * config.size);
  Preprocessor preprocessor(config);
  preprocessor(view_of(image), input.data());
  return input;
}

/// Centre of mass of the first plane, in continuous pixels.
cv::Point2d centre(const std::vector<float> & input, int size)
{
  double sum = 0;
  cv::Point2d moment(0, 0);
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const double value = input[y * size + x];
      sum += value;
      moment += value * cv::Point2d(x + 0.5, y + 0.5);
    }
  }
  return moment / sum;
}

cv::Point2d mapped(const cv::Matx33d & m, const cv::Point2d & point)
{
  const cv::Vec3d p = m * cv::Vec3d(point.x, point.y, 1);
  return {p[0] / p[2], p[1] / p[2]};
}

TEST(AugmentationTest, WithEverythingOffTheResultIsThePreprocessors)
{
  PreprocessingConfig config;
  config.size = 32;
  for (const auto mode :
       {PreprocessingConfig::Mode::resize, PreprocessingConfig::Mode::resize_crop}) {
    config.mode = mode;
    for (const cv::Size & size : {cv::Size(32, 32), cv::Size(75, 50), cv::Size(9, 14)}) {
      const cv::Mat image = noise(size.width, size.height);
      EXPECT_EQ(augmented(nothing(), config, image, 0), preprocessed(config, image));
    }
  }
}

TEST(AugmentationTest, TheImageGivenIsNotChanged)
{
  const cv::Mat image = noise(40, 30);
  const cv::Mat before = image.clone();
  augmented(AugmentationConfig{}, plain(32), image, 5);
  augmented(AugmentationConfig{}, plain(16), image, 5);
  AugmentationConfig colours = AugmentationConfig{};
  colours.crop = false;
  augmented(colours, plain(32), image, 5);
  EXPECT_EQ(cv::norm(image, before, cv::NORM_INF), 0);
}

TEST(AugmentationTest, DrawsKeepTheirRangesAndRates)
{
  const AugmentationConfig config;
  int flips = 0;
  int perspectives = 0;
  double angles = 0;
  double smallest = 1;
  double largest = 0;
  double mean_area = 0;
  std::set<std::array<int, 4>> orders;
  for (int i = 0; i < kDraws; ++i) {
    Random random{7, 0, static_cast<std::uint64_t>(i)};
    const AugmentationDraw draw = draw_augmentation(config, 100, 80, random);
    flips += draw.flip ? 1 : 0;
    perspectives += draw.corners[0].x != 0 ? 1 : 0;
    orders.insert(draw.colour_order);
    angles += draw.angle;
    ASSERT_LE(std::abs(draw.angle), 25);
    ASSERT_LE(std::abs(draw.shear), 15);
    ASSERT_LE(std::abs(draw.translation.x), 0.05);
    ASSERT_LE(std::abs(draw.translation.y), 0.05);
    ASSERT_LE(std::abs(draw.hue), 0.02);
    for (const double factor : {draw.brightness, draw.contrast, draw.saturation}) {
      ASSERT_GE(factor, 0.6);
      ASSERT_LE(factor, 1.4);
    }
    ASSERT_LE(draw.corners[0].x, 0.1);
    ASSERT_GE(draw.corners[2].y, 0.9);
    const double area = draw.crop.area();
    const double ratio = draw.crop.width * 100 / (draw.crop.height * 80);
    smallest = std::min(smallest, area);
    largest = std::max(largest, area);
    mean_area += area / kDraws;
    ASSERT_GE(ratio, 0.75 - 1e-9);
    ASSERT_LE(ratio, 4.0 / 3.0 + 1e-9);
    ASSERT_GE(std::min(draw.crop.x, draw.crop.y), 0);
    ASSERT_LE(draw.crop.x + draw.crop.width, 1 + 1e-9);
    ASSERT_LE(draw.crop.y + draw.crop.height, 1 + 1e-9);
  }
  // Five standard deviations of a fair coin are 0.04.
  EXPECT_NEAR(flips, 0.5 * kDraws, 0.04 * kDraws);
  EXPECT_NEAR(perspectives, 0.5 * kDraws, 0.04 * kDraws);
  EXPECT_NEAR(angles / kDraws, 0, 5 * 25 / std::sqrt(3.0 * kDraws));
  EXPECT_EQ(orders.size(), 24u) << "every order of four";
  EXPECT_GE(smallest, 0.6);
  EXPECT_LT(smallest, 0.61);
  EXPECT_LE(largest, 1.0);
  EXPECT_GT(largest, 0.95);
  EXPECT_GT(mean_area, 0.7);
  EXPECT_LT(mean_area, 0.8) << "large crops with a ratio that does not fit are drawn again";
}

TEST(AugmentationTest, ACropThatNeverFitsFallsBackToTheCentre)
{
  AugmentationConfig config;
  Random random{1};
  const AugmentationDraw draw = draw_augmentation(config, 1000, 10, random);
  EXPECT_NEAR(draw.crop.width * 1000 / (draw.crop.height * 10), 4.0 / 3.0, 1e-9);
  EXPECT_NEAR(draw.crop.x + draw.crop.width / 2, 0.5, 1e-9);
  EXPECT_EQ(draw.crop.height, 1);
}

TEST(AugmentationTest, SwitchingOneChangeOffLeavesTheOthers)
{
  AugmentationConfig config;
  Random first{1, 2, 3};
  const AugmentationDraw all = draw_augmentation(config, 100, 80, first);
  config.perspective = config.brightness = config.rotation = 0;
  Random second{1, 2, 3};
  const AugmentationDraw some = draw_augmentation(config, 100, 80, second);
  EXPECT_EQ(some.brightness, 1);
  EXPECT_EQ(some.angle, 0);
  EXPECT_EQ(some.corners[0].x, 0);
  EXPECT_EQ(some.shear, all.shear);
  EXPECT_EQ(some.hue, all.hue);
  EXPECT_EQ(some.flip, all.flip);
  EXPECT_EQ(some.crop, all.crop);
}

TEST(AugmentationTest, TransformsAgreeWithArithmeticByHand)
{
  const cv::Point2d point(30, 10);  // of an image of 100 x 80
  const auto lands = [&point](const AugmentationDraw & draw) {
    return mapped(input_from_image(draw, 100, 80, 200), point);
  };
  const auto expect = [](const cv::Point2d & actual, double x, double y) {
    EXPECT_NEAR(actual.x, x, 1e-4);
    EXPECT_NEAR(actual.y, y, 1e-4);
  };
  AugmentationDraw draw;
  expect(lands(draw), 60, 25);  // x * 200 / 100, y * 200 / 80

  draw.flip = true;
  expect(lands(draw), 140, 25);

  draw = {};
  draw.angle = 90;  // clockwise: (-20, -30) from the centre goes to (30, -20)
  expect(lands(draw), 160, 50);

  draw = {};
  draw.shear = 45;  // x' = x - y from the centre: -20 + 30
  expect(lands(draw), 120, 25);

  draw = {};
  draw.translation = {0.1, -0.05};  // 10 and -4 pixels
  expect(lands(draw), 80, 15);

  draw = {};
  draw.crop = {0.1, 0.05, 0.5, 0.25};  // from (10, 4), 50 x 20 pixels
  expect(lands(draw), 80, 60);

  draw = {};
  draw.corners = {{{0.1, 0.1}, {0.9, 0.1}, {0.9, 0.9}, {0.1, 0.9}}};  // shrunken about the centre
  expect(lands(draw), 2 * (50 - 20 * 0.8), 2.5 * (40 - 30 * 0.8));

  draw.corners = {{{0.1, 0.05}, {1, 0}, {0.95, 0.9}, {0, 1}}};
  const cv::Matx33d m = input_from_image(draw, 100, 80, 200);
  expect(mapped(m, {0, 0}), 20, 10);
  expect(mapped(m, {100, 80}), 190, 180);
}

TEST(AugmentationTest, AMarkerLandsWhereTheDrawnTransformSays)
{
  constexpr int kSize = 64;
  AugmentationConfig config;
  config.brightness = config.contrast = config.saturation = config.hue = 0;
  int visible = 0;
  for (const cv::Size & size : {cv::Size(64, 64), cv::Size(150, 100), cv::Size(220, 400)}) {
    // A disc near the middle, so that it mostly stays in sight.
    const cv::Point2d marker(size.width * 0.45, size.height * 0.55);
    const int radius = std::max(3, size.width / 25);
    cv::Mat image(size, CV_8UC3, cv::Scalar(0, 0, 0));
    for (int y = 0; y < image.rows; ++y) {
      for (int x = 0; x < image.cols; ++x) {
        if (cv::norm(cv::Point2d(x + 0.5, y + 0.5) - marker) <= radius) {
          image.at<cv::Vec3b>(y, x) = {255, 255, 255};
        }
      }
    }
    for (std::uint64_t key = 0; key < 40; ++key) {
      Random random{1, 2, key};
      const AugmentationDraw draw = draw_augmentation(config, size.width, size.height, random);
      const cv::Point2d expected =
        mapped(input_from_image(draw, size.width, size.height, kSize), marker);
      const cv::Rect2d safe(10, 10, kSize - 20, kSize - 20);
      if (!safe.contains(expected)) {
        continue;
      }
      ++visible;
      const cv::Point2d found = centre(augmented(config, plain(kSize), image, key), kSize);
      EXPECT_NEAR(found.x, expected.x, 0.3) << size << " draw " << key;
      EXPECT_NEAR(found.y, expected.y, 0.3) << size << " draw " << key;
    }
  }
  EXPECT_GT(visible, 90);
}

TEST(AugmentationTest, APureFlipMirrorsThePixelsExactly)
{
  AugmentationConfig config = nothing();
  config.flip_probability = 1;
  const cv::Mat image = noise(24, 24);
  const std::vector<float> flipped = augmented(config, plain(24), image, 0);
  const std::vector<float> straight = preprocessed(plain(24), image);
  for (int row = 0; row < 3 * 24; ++row) {
    for (int x = 0; x < 24; ++x) {
      ASSERT_NEAR(flipped[row * 24 + x], straight[row * 24 + 23 - x], 1e-3);
    }
  }
}

TEST(AugmentationTest, WithoutRandomCropTheFrameIsThePreprocessings)
{
  // A smooth image: two ways to resample it must agree.
  cv::Mat image(80, 120, CV_8UC3);
  for (int y = 0; y < 80; ++y) {
    for (int x = 0; x < 120; ++x) {
      image.at<cv::Vec3b>(y, x) =
        cv::Vec3b(static_cast<uchar>(2 * x), static_cast<uchar>(3 * y), static_cast<uchar>(x + y));
    }
  }
  AugmentationConfig config = nothing();
  config.flip_probability = 1e-300;  // geometric, yet never drawn
  for (const auto mode :
       {PreprocessingConfig::Mode::resize, PreprocessingConfig::Mode::resize_crop}) {
    PreprocessingConfig preprocessing = plain(56);
    preprocessing.mode = mode;
    const std::vector<float> warped = augmented(config, preprocessing, image, 0);
    const std::vector<float> resized = preprocessed(preprocessing, image);
    for (std::size_t i = 0; i < warped.size(); ++i) {
      ASSERT_NEAR(warped[i], resized[i], 3.0 / 255);
    }
  }
}

TEST(AugmentationTest, OutsideIsBlackAndEdgesAreNotDimmed)
{
  PreprocessingConfig preprocessing;
  preprocessing.size = 40;
  const cv::Mat white(40, 40, CV_8UC3, cv::Scalar(255, 255, 255));
  AugmentationDraw draw;
  draw.translation = {0.25, 0};
  std::vector<float> input(3 * 40 * 40);
  Augmenter augmenter(AugmentationConfig{}, preprocessing);
  augmenter.apply(draw, white, input.data());
  for (int c = 0; c < 3; ++c) {
    const float black = -preprocessing.mean[c] / preprocessing.std[c];
    const float bright = (1 - preprocessing.mean[c]) / preprocessing.std[c];
    for (int x = 0; x < 40; ++x) {
      EXPECT_NEAR(input[(c * 40 + 20) * 40 + x], x < 10 ? black : bright, 1e-5) << x;
    }
  }
}

TEST(AugmentationTest, ShrinkingDoesNotAlias)
{
  // One-pixel stripes are grey from afar; a sampler without averaging would see black and white.
  cv::Mat stripes(400, 400, CV_8UC3, cv::Scalar(0, 0, 0));
  for (int x = 0; x < 400; x += 2) {
    stripes.col(x).setTo(cv::Scalar(255, 255, 255));
  }
  std::vector<float> input(3 * 50 * 50);
  Augmenter augmenter(AugmentationConfig{}, plain(50));
  AugmentationDraw draw;
  draw.crop = {0.05, 0.05, 0.83, 0.83};
  augmenter.apply(draw, stripes, input.data());
  const auto [low, high] = std::minmax_element(input.begin(), input.end());
  EXPECT_GT(*low, 0.4);
  EXPECT_LT(*high, 0.6);
}

/// Changes one image of two colours, (B, G, R) = (40, 80, 120) and (200, 100, 50).
cv::Mat recoloured(const AugmentationDraw & draw)
{
  cv::Mat image(1, 2, CV_8UC3);
  image.at<cv::Vec3b>(0, 0) = {40, 80, 120};
  image.at<cv::Vec3b>(0, 1) = {200, 100, 50};
  ColourScratch scratch;
  change_colours(draw, image, scratch);
  return image;
}

void expect_near(const cv::Vec3b & actual, const cv::Vec3d & expected, double tolerance)
{
  for (int c = 0; c < 3; ++c) {
    EXPECT_NEAR(actual[c], expected[c], tolerance) << "channel " << c;
  }
}

TEST(AugmentationTest, ColoursChangeAsTorchvisionDefines)
{
  // ITU-R 601 greys: 0.299 R + 0.587 G + 0.114 B = 87.4 and 96.45; their rounded mean is 92.
  AugmentationDraw draw;
  draw.brightness = 1.4;
  expect_near(recoloured(draw).at<cv::Vec3b>(0, 0), {56, 112, 168}, 0.51);
  expect_near(recoloured(draw).at<cv::Vec3b>(0, 1), {255, 140, 70}, 0.51);

  draw = {};
  draw.contrast = 0.5;
  expect_near(recoloured(draw).at<cv::Vec3b>(0, 0), {66, 86, 106}, 1);

  draw = {};
  draw.saturation = 0.5;
  expect_near(recoloured(draw).at<cv::Vec3b>(0, 0), {63.7, 83.7, 103.7}, 1);
  expect_near(recoloured(draw).at<cv::Vec3b>(0, 1), {148.2, 98.2, 73.2}, 1);

  draw = {};
  draw.hue = 1.0 / 3.0;  // red becomes green, green blue, blue red; HSV has 8 bits
  expect_near(recoloured(draw).at<cv::Vec3b>(0, 0), {80, 120, 40}, 4);

  draw = {};
  draw.brightness = 1.4;
  draw.contrast = 0.6;
  const cv::Mat bright_first = recoloured(draw);
  draw.colour_order = {1, 0, 2, 3};
  EXPECT_GT(cv::norm(bright_first, recoloured(draw), cv::NORM_INF), 1) << "order matters";
}

TEST(AugmentationTest, SmallestImagesWork)
{
  for (const cv::Size & size : {cv::Size(1, 1), cv::Size(1, 300), cv::Size(300, 1)}) {
    const std::vector<float> input =
      augmented(AugmentationConfig{}, plain(8), noise(size.width, size.height), 3);
    for (const float value : input) {
      ASSERT_GE(value, 0);
      ASSERT_LE(value, 1.0001);
    }
  }
}

TEST(AugmentationTest, ConfigsOutOfRangeAreRefusedByKey)
{
  const auto key_of = [](auto change) -> std::string {
    AugmentationConfig config;
    change(config);
    try {
      check(config);
    } catch (const ConfigError & error) {
      return error.key();
    }
    return "accepted";
  };
  using Config = AugmentationConfig;
  EXPECT_EQ(key_of([](Config &) {}), "accepted");
  EXPECT_EQ(key_of([](Config & c) { c.perspective = 1; }), "augmentation.perspective");
  EXPECT_EQ(key_of([](Config & c) { c.hue = 0.6; }), "augmentation.hue");
  EXPECT_EQ(key_of([](Config & c) { c.flip_probability = -1; }), "augmentation.flip_probability");
  EXPECT_EQ(key_of([](Config & c) { c.rotation = std::nan(""); }), "augmentation.rotation");
  EXPECT_EQ(key_of([](Config & c) { c.shear = 90; }), "augmentation.shear");
  EXPECT_EQ(key_of([](Config & c) { c.crop_scale = {0.8, 0.6}; }), "augmentation.crop_scale");
  EXPECT_EQ(key_of([](Config & c) { c.crop_ratio = {0, 1}; }), "augmentation.crop_ratio");
}

}  // namespace
}  // namespace mgproto
