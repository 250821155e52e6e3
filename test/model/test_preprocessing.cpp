// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// pil/imgN_MODE.png are the 8-bit pixels that PIL and torchvision made of pil/imgN.png (exact size,
// wide, tall, twice as large), so the comparison is with them and not with ourselves.

#include <gtest/gtest.h>

#include <cmath>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "mgproto_ros/error.hpp"
#include "model/image_file.hpp"
#include "model/preprocessing.hpp"

namespace mgproto
{
namespace
{

using Mode = PreprocessingConfig::Mode;

cv::Mat read(const std::string & name)
{
  return read_image(std::string(MGPROTO_TEST_DATA) + "/pil/" + name);
}

PreprocessingConfig config_of(int size, Mode mode)
{
  PreprocessingConfig config;
  config.size = size;
  config.mode = mode;
  return config;
}

std::vector<float> run(const PreprocessingConfig & config, const ImageView & image)
{
  std::vector<float> input(3 * config.size * config.size);
  Preprocessor{config}(image, input.data());
  return input;
}

class AgainstPil : public ::testing::TestWithParam<std::tuple<int, Mode>>
{
};

TEST_P(AgainstPil, EveryPixelIsTheSame)
{
  const auto [number, mode] = GetParam();
  const std::string name = "img" + std::to_string(number);
  const cv::Mat expected = read(name + (mode == Mode::resize ? "_resize.png" : "_resize_crop.png"));
  PreprocessingConfig config = config_of(64, mode);
  config.shorter_side = mode == Mode::resize ? 0 : 96;  // as in the authors' script: size + 32
  const cv::Mat image = read(name + ".png");

  const std::vector<float> input = run(config, view_of(image));

  double difference = 0;
  for (int c = 0; c < 3; ++c) {
    for (int y = 0; y < 64; ++y) {
      for (int x = 0; x < 64; ++x) {
        const double level = (input[(c * 64 + y) * 64 + x] * config.std[c] + config.mean[c]) * 255;
        difference += std::abs(level - expected.at<cv::Vec3b>(y, x)[2 - c]);
      }
    }
  }
  EXPECT_LT(difference / (3 * 64 * 64), 1e-3);  // grey levels; 0.1 would still be good enough
}

INSTANTIATE_TEST_SUITE_P(
  Pil, AgainstPil,
  ::testing::Combine(::testing::Range(0, 4), ::testing::Values(Mode::resize, Mode::resize_crop)));

TEST(Preprocessing, RgbBgrAndMonoAgree)
{
  const cv::Mat bgr = read("img1.png");
  cv::Mat rgb;
  cv::cvtColor(bgr, rgb, cv::COLOR_BGR2RGB);
  ImageView rgb_view = view_of(rgb);
  rgb_view.format = PixelFormat::rgb;
  const PreprocessingConfig config = config_of(33, Mode::resize);
  EXPECT_EQ(run(config, view_of(bgr)), run(config, rgb_view));

  cv::Mat grey, grey_bgr;
  cv::cvtColor(bgr, grey, cv::COLOR_BGR2GRAY);
  cv::cvtColor(grey, grey_bgr, cv::COLOR_GRAY2BGR);
  ImageView grey_view = view_of(grey);
  grey_view.format = PixelFormat::mono;
  EXPECT_EQ(run(config, grey_view), run(config, view_of(grey_bgr)));
}

TEST(Preprocessing, RowPaddingDoesNotMatter)
{
  const cv::Mat image = read("img2.png");
  cv::Mat wider(image.rows, image.cols + 5, CV_8UC3, cv::Scalar(1, 2, 3));
  image.copyTo(wider(cv::Rect(0, 0, image.cols, image.rows)));
  ImageView padded = view_of(wider);
  padded.width = image.cols;
  const PreprocessingConfig config = config_of(40, Mode::resize_crop);

  EXPECT_EQ(run(config, padded), run(config, view_of(image)));
}

TEST(Preprocessing, OnePreprocessorServesImagesOfAllSizes)
{
  Preprocessor preprocessor(config_of(24, Mode::resize));
  std::vector<float> input(3 * 24 * 24);
  for (const cv::Size size :
       {cv::Size(1, 1), cv::Size(7680, 4320), cv::Size(3, 500), cv::Size(65536, 1)}) {
    const cv::Mat image(size, CV_8UC3, cv::Scalar(255, 255, 255));
    preprocessor(view_of(image), input.data());
    // White stays white at any scale: the weights of every pixel sum to one.
    for (const float value : input) {
      ASSERT_GT(value, 2.0f) << size;
    }
  }
}

TEST(Preprocessing, UnusableImagesAreImageErrors)
{
  Preprocessor preprocessor(config_of(8, Mode::resize));
  std::vector<float> input(3 * 8 * 8);
  const std::vector<std::uint8_t> data(300);
  const auto reject = [&](const ImageView & image) {
    EXPECT_THROW(preprocessor(image, input.data()), ImageError);
  };
  reject({data.data(), 0, 0, 0, PixelFormat::bgr});
  reject({data.data(), -1, 10, 30, PixelFormat::bgr});
  reject({nullptr, 10, 10, 30, PixelFormat::bgr});
  reject({data.data(), 10, 10, 29, PixelFormat::bgr});
  reject({data.data(), 1 << 30, 1, std::size_t{3} << 30, PixelFormat::bgr});
}

TEST(Preprocessing, AWrongConfigNamesItsKey)
{
  const auto key_of = [](const PreprocessingConfig & config) -> std::string {
    try {
      check(config);
    } catch (const ConfigError & error) {
      return error.key();
    }
    return "no error";
  };
  EXPECT_EQ(key_of(config_of(0, Mode::resize)), "preprocessing.size");
  EXPECT_EQ(key_of(config_of(1 << 20, Mode::resize)), "preprocessing.size");
  PreprocessingConfig config;
  config.shorter_side = 200;
  EXPECT_EQ(key_of(config), "preprocessing.shorter_side");
  config = {};
  config.std[1] = 0;
  EXPECT_EQ(key_of(config), "preprocessing.std");
  config = {};
  config.mean[2] = NAN;
  EXPECT_EQ(key_of(config), "preprocessing.mean");
}

// Where a pixel of the input came from: paint one dot into an image of odd size, find it in the
// input, map it back.
TEST(Geometry, ADotIsFoundAgainWhereItWasPainted)
{
  for (const Mode mode : {Mode::resize, Mode::resize_crop}) {
    for (const cv::Size size : {cv::Size(641, 479), cv::Size(333, 1001), cv::Size(97, 97)}) {
      const cv::Rect dot(size.width / 2 - 37, size.height / 2 + 19, 13, 11);
      cv::Mat image(size, CV_8UC3, cv::Scalar(0, 0, 0));
      image(dot) = cv::Scalar(255, 255, 255);
      std::vector<float> input(3 * 224 * 224);
      const InputGeometry geometry =
        Preprocessor(config_of(224, mode))(view_of(image), input.data());

      cv::Mat plane(224, 224, CV_32F, input.data());
      const cv::Rect found = cv::boundingRect(plane > 0.2f);  // at least half white
      const Box box =
        geometry.to_original(found.x, found.y, found.x + found.width, found.y + found.height);

      const double tolerance_x = geometry.scale_x + 1, tolerance_y = geometry.scale_y + 1;
      EXPECT_NEAR(box.x, dot.x, tolerance_x) << size;
      EXPECT_NEAR(box.y, dot.y, tolerance_y) << size;
      EXPECT_NEAR(box.x + box.width, dot.x + dot.width, tolerance_x) << size;
      EXPECT_NEAR(box.y + box.height, dot.y + dot.height, tolerance_y) << size;
    }
  }
}

TEST(Geometry, TheWholeInputIsTheWholeImageOrItsCentre)
{
  std::vector<float> input(3 * 70 * 70);
  cv::Mat image(333, 501, CV_8UC3, cv::Scalar(0, 0, 0));
  InputGeometry geometry = Preprocessor(config_of(70, Mode::resize))(view_of(image), input.data());
  EXPECT_EQ(geometry.to_original(0, 0, 70, 70), (Box{0, 0, 501, 333}));

  // Shorter side to 80: 120 x 80, of which columns 25..95 and rows 5..75 are seen.
  geometry = Preprocessor(config_of(70, Mode::resize_crop))(view_of(image), input.data());
  EXPECT_EQ(geometry.left, 25);
  EXPECT_EQ(geometry.top, 5);
  EXPECT_NEAR(geometry.seen().x, 25 * 501.0 / 120, 1e-9);
  EXPECT_NEAR(geometry.seen().width, 70 * 501.0 / 120, 1e-9);
  EXPECT_NEAR(geometry.seen().height, 70 * 333.0 / 80, 1e-9);
}

TEST(Geometry, BoxesStayInsideAndAreNeverEmpty)
{
  std::vector<float> input(3 * 50 * 50);
  const cv::Mat image(3, 2, CV_8UC3, cv::Scalar(9, 9, 9));
  const InputGeometry geometry =
    Preprocessor(config_of(50, Mode::resize))(view_of(image), input.data());
  for (int x = 0; x < 50; ++x) {
    const Box box = geometry.to_original(x, x, x + 1, x + 1);
    EXPECT_GE(box.width, 1);
    EXPECT_GE(box.height, 1);
    EXPECT_LE(box.x + box.width, 2);
    EXPECT_LE(box.y + box.height, 3);
  }
}

}  // namespace
}  // namespace mgproto
