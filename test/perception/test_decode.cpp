// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Camera images of every encoding as the model takes them. That they are as large as they say is
// the business of messages/test_image_input.cpp.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "mgproto_ros/error.hpp"
#include "perception/decode.hpp"

namespace mgproto::perception
{
namespace
{

using Bytes = std::vector<std::uint8_t>;

CameraImage camera_image(
  const Bytes & bytes, Encoding encoding, int width, int height, std::size_t step)
{
  CameraImage image;
  image.data = bytes.data();
  image.size = bytes.size();
  image.width = width;
  image.height = height;
  image.step = step;
  image.encoding = encoding;
  return image;
}

CameraImage compressed(const Bytes & bytes)
{
  return camera_image(bytes, Encoding::compressed, 0, 0, 0);
}

/// Blue, green, red, whatever the format of the view.
cv::Vec3b pixel(const ImageView & view, int x, int y)
{
  const std::uint8_t * at = view.data + y * view.step + x * channels(view.format);
  switch (view.format) {
    case PixelFormat::mono:
      return {at[0], at[0], at[0]};
    case PixelFormat::rgb:
      return {at[2], at[1], at[0]};
    default:
      return {at[0], at[1], at[2]};
  }
}

void expect_near(const cv::Vec3b & actual, const cv::Vec3b & expected, int tolerance)
{
  for (int c = 0; c < 3; ++c) {
    EXPECT_NEAR(actual[c], expected[c], tolerance) << "channel " << c;
  }
}

Bytes encoded(const std::string & extension, const cv::Mat & image)
{
  Bytes bytes;
  EXPECT_TRUE(cv::imencode(extension, image, bytes));
  return bytes;
}

/// Smooth, so that JPEG changes little: blue grows to the right, red downwards.
cv::Mat ramp(int width, int height)
{
  cv::Mat image(height, width, CV_8UC3);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image.at<cv::Vec3b>(y, x) = cv::Vec3b(
        static_cast<std::uint8_t>(250 * x / width), 60,
        static_cast<std::uint8_t>(250 * y / height));
    }
  }
  return image;
}

TEST(Decode, EightBitImagesAreNotCopied)
{
  // Two pixels a row, two bytes of padding.
  const Bytes colour{1, 2, 3, 4, 5, 6, 99, 99, 7, 8, 9, 10, 11, 12};
  const Bytes grey{1, 2, 99, 3, 4};
  cv::Mat buffer;

  const ImageView bgr = decode(camera_image(colour, Encoding::bgr8, 2, 2, 8), buffer);
  const ImageView rgb = decode(camera_image(colour, Encoding::rgb8, 2, 2, 8), buffer);
  const ImageView mono = decode(camera_image(grey, Encoding::mono8, 2, 2, 3), buffer);

  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(bgr.data, colour.data());
  EXPECT_EQ(rgb.data, colour.data());
  EXPECT_EQ(mono.data, grey.data());
  EXPECT_EQ(pixel(bgr, 1, 1), cv::Vec3b(10, 11, 12));
  EXPECT_EQ(pixel(rgb, 1, 1), cv::Vec3b(12, 11, 10));
  EXPECT_EQ(pixel(mono, 1, 1), cv::Vec3b(4, 4, 4));
}

TEST(Decode, AlphaIsLeftOutAndPaddingSkipped)
{
  const Bytes bytes{1, 2, 3, 255, 99, 4, 5, 6, 0};
  cv::Mat buffer;

  EXPECT_EQ(
    pixel(decode(camera_image(bytes, Encoding::bgra8, 1, 2, 5), buffer), 0, 1), cv::Vec3b(4, 5, 6));
  EXPECT_EQ(
    pixel(decode(camera_image(bytes, Encoding::rgba8, 1, 2, 5), buffer), 0, 1), cv::Vec3b(6, 5, 4));
}

TEST(Decode, Mono16IsItsUpperByteInEitherByteOrder)
{
  const Bytes bytes{0x12, 0xFE, 0x00, 0xFF, 99, 0xFF, 0xFF, 0x01, 0x00};
  CameraImage image = camera_image(bytes, Encoding::mono16, 2, 2, 5);
  cv::Mat buffer;

  const ImageView little = decode(image, buffer);
  EXPECT_EQ(little.format, PixelFormat::mono);
  EXPECT_EQ(pixel(little, 0, 0)[0], 0xFE);
  EXPECT_EQ(pixel(little, 1, 0)[0], 0xFF);
  EXPECT_EQ(pixel(little, 0, 1)[0], 0xFF);
  EXPECT_EQ(pixel(little, 1, 1)[0], 0x00);

  image.big_endian = true;
  const ImageView big = decode(image, buffer);
  EXPECT_EQ(pixel(big, 0, 0)[0], 0x12);
  EXPECT_EQ(pixel(big, 1, 1)[0], 0x01);
}

TEST(Decode, Mono16AgreesWithThePngOfTheSameImage)
{
  cv::Mat deep(8, 8, CV_16UC1);
  cv::RNG(3).fill(deep, cv::RNG::UNIFORM, 0, 65536);
  const Bytes bytes(deep.data, deep.data + deep.total() * 2);
  const Bytes png = encoded(".png", deep);
  cv::Mat raw_buffer, png_buffer;

  const ImageView raw = decode(camera_image(bytes, Encoding::mono16, 8, 8, 16), raw_buffer);
  const ImageView decoded = decode(compressed(png), png_buffer);

  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 8; ++x) {
      EXPECT_EQ(pixel(raw, x, y), pixel(decoded, x, y)) << x << ", " << y;
    }
  }
}

TEST(Decode, EveryMosaicGivesTheColourThatItWasMadeFrom)
{
  struct Mosaic
  {
    Encoding encoding;
    const char * pattern;  // colours of the first two rows
  };
  const cv::Vec3b colour(200, 120, 40);
  for (const Mosaic & mosaic :
       {Mosaic{Encoding::bayer_rggb8, "RGGB"}, Mosaic{Encoding::bayer_bggr8, "BGGR"},
        Mosaic{Encoding::bayer_gbrg8, "GBRG"}, Mosaic{Encoding::bayer_grbg8, "GRBG"}}) {
    SCOPED_TRACE(mosaic.pattern);
    const int step = 11;  // with padding
    Bytes bytes(8 * step, 0);
    for (int y = 0; y < 8; ++y) {
      for (int x = 0; x < 8; ++x) {
        const char name = mosaic.pattern[y % 2 * 2 + x % 2];
        bytes[y * step + x] = colour[name == 'B' ? 0 : name == 'G' ? 1 : 2];
      }
    }
    cv::Mat buffer;

    const ImageView view = decode(camera_image(bytes, mosaic.encoding, 8, 8, step), buffer);

    for (const auto & [x, y] :
         {std::pair(3, 3), std::pair(4, 3), std::pair(3, 4), std::pair(0, 7)}) {
      expect_near(pixel(view, x, y), colour, 1);
    }
  }
}

TEST(Decode, BothOrdersOfYuv422GiveTheSameColours)
{
  // One row: two red pixels, two grey ones, in BT.601's video range.
  const Bytes uyvy{90, 81, 240, 81, 128, 126, 128, 126};
  const Bytes yuyv{81, 90, 81, 240, 126, 128, 126, 128};
  cv::Mat buffer;
  for (const auto & [bytes, encoding] :
       {std::pair(uyvy, Encoding::yuv422_uyvy), std::pair(yuyv, Encoding::yuv422_yuy2)}) {
    const ImageView view = decode(camera_image(bytes, encoding, 4, 1, 8), buffer);
    expect_near(pixel(view, 1, 0), {0, 0, 255}, 2);
    expect_near(pixel(view, 3, 0), {128, 128, 128}, 2);
  }
}

TEST(Decode, ColoursBehindThePixelsAreFoundWhereverTheyAre)
{
  // Red on the left, grey on the right, in BT.601's video range; rows are padded by 2 bytes.
  constexpr int kRows = 4, kCols = 8, kStep = 10;
  const auto is_red = [](int x) { return x < kCols / 2; };
  Bytes luma(kStep * kRows, 255);
  for (int y = 0; y < kRows; ++y) {
    for (int x = 0; x < kCols; ++x) {
      luma[y * kStep + x] = is_red(x) ? 81 : 126;
    }
  }
  // Planes of `cols` by `rows`, each place with these of U and V, in this order.
  const auto with_colours = [&](int rows, int cols, int step, const std::string & order) {
    Bytes bytes = luma;
    const auto first = static_cast<int>(bytes.size());
    bytes.resize(bytes.size() + rows * step, 255);
    const auto names = static_cast<int>(order.size());
    for (int y = 0; y < rows; ++y) {
      for (int x = 0; x < cols; ++x) {
        for (int i = 0; i < names; ++i) {
          const bool red = x < cols / 2;
          bytes[first + y * step + x * names + i] = !red ? 128 : order[i] == 'U' ? 90 : 240;
        }
      }
    }
    return bytes;
  };
  Bytes planes = with_colours(2, 4, 5, "U");
  const Bytes v = with_colours(2, 4, 5, "V");
  planes.insert(planes.end(), v.begin() + luma.size(), v.end());
  cv::Mat buffer;
  for (const auto & [bytes, encoding] :
       {std::pair(with_colours(2, 4, kStep, "UV"), Encoding::nv12),
        std::pair(with_colours(2, 4, kStep, "VU"), Encoding::nv21),
        std::pair(with_colours(4, 8, 2 * kStep, "UV"), Encoding::nv24),
        std::pair(planes, Encoding::yuv420)}) {
    const ImageView view = decode(camera_image(bytes, encoding, kCols, kRows, kStep), buffer);
    for (int y = 0; y < kRows; ++y) {
      for (int x = 0; x < kCols; ++x) {
        const cv::Vec3b expected = is_red(x) ? cv::Vec3b(0, 0, 255) : cv::Vec3b(128, 128, 128);
        expect_near(pixel(view, x, y), expected, 2);
      }
    }
  }
}

TEST(Decode, Of16BitsTheUpperByteCountsInColoursAndMosaicsToo)
{
  const Bytes two{9, 10, 9, 20, 9, 30, 9, 40, 9, 50, 9, 60};
  cv::Mat buffer;
  const ImageView bgr = decode(camera_image(two, Encoding::bgr16, 2, 1, 12), buffer);
  EXPECT_EQ(pixel(bgr, 0, 0), cv::Vec3b(10, 20, 30));
  EXPECT_EQ(pixel(bgr, 1, 0), cv::Vec3b(40, 50, 60));
  const ImageView rgb = decode(camera_image(two, Encoding::rgb16, 2, 1, 12), buffer);
  EXPECT_EQ(pixel(rgb, 0, 0), cv::Vec3b(30, 20, 10));
  CameraImage big = camera_image(two, Encoding::bgr16, 2, 1, 12);
  big.big_endian = true;
  EXPECT_EQ(pixel(decode(big, buffer), 1, 0), cv::Vec3b(9, 9, 9));

  for (const auto & [wide, narrow] :
       {std::pair(Encoding::bayer_rggb16, Encoding::bayer_rggb8),
        std::pair(Encoding::bayer_bggr16, Encoding::bayer_bggr8),
        std::pair(Encoding::bayer_gbrg16, Encoding::bayer_gbrg8),
        std::pair(Encoding::bayer_grbg16, Encoding::bayer_grbg8)}) {
    Bytes upper, both;
    for (int i = 0; i < 64; ++i) {
      upper.push_back(static_cast<std::uint8_t>(i * 37));
      both.push_back(static_cast<std::uint8_t>(i));
      both.push_back(upper.back());
    }
    cv::Mat wide_buffer, narrow_buffer;
    const ImageView seen = decode(camera_image(both, wide, 8, 8, 16), wide_buffer);
    const ImageView expected = decode(camera_image(upper, narrow, 8, 8, 8), narrow_buffer);
    EXPECT_EQ(pixel(seen, 3, 4), pixel(expected, 3, 4));
    EXPECT_EQ(pixel(seen, 4, 4), pixel(expected, 4, 4));
  }
}

Bytes float_bytes(const std::vector<float> & values, bool big_endian)
{
  Bytes bytes;
  for (const float value : values) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, 4);
    for (int i = 0; i < 4; ++i) {
      bytes.push_back(static_cast<std::uint8_t>(bits >> 8 * (big_endian ? 3 - i : i)));
    }
  }
  return bytes;
}

TEST(Decode, Float32IsStretchedBetweenItsFiniteEnds)
{
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> values{1, 2, 3, NAN, kInfinity, -kInfinity};
  for (const bool big_endian : {false, true}) {
    const Bytes bytes = float_bytes(values, big_endian);
    CameraImage image = camera_image(bytes, Encoding::float32, 3, 2, 12);
    image.big_endian = big_endian;
    cv::Mat buffer;

    const ImageView view = decode(image, buffer);

    EXPECT_EQ(pixel(view, 0, 0)[0], 0);
    EXPECT_EQ(pixel(view, 1, 0)[0], 128);
    EXPECT_EQ(pixel(view, 2, 0)[0], 255);
    EXPECT_EQ(pixel(view, 0, 1)[0], 0);
    EXPECT_EQ(pixel(view, 1, 1)[0], 255);
    EXPECT_EQ(pixel(view, 2, 1)[0], 0);
  }
}

TEST(Decode, Float32WithoutARangeIsBlackAndTheWidestRangeDoesNotOverflow)
{
  constexpr float kLargest = std::numeric_limits<float>::max();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  cv::Mat buffer;
  for (const auto & values :
       {std::vector<float>{7, 7}, std::vector<float>{NAN, NAN},
        std::vector<float>{kInfinity, -kInfinity}, std::vector<float>{kInfinity, 3}}) {
    const Bytes bytes = float_bytes(values, false);
    decode(camera_image(bytes, Encoding::float32, 2, 1, 8), buffer);
    EXPECT_EQ(cv::countNonZero(buffer), 0);
  }
  const Bytes widest = float_bytes({-kLargest, 0, kLargest}, false);
  const ImageView view = decode(camera_image(widest, Encoding::float32, 3, 1, 12), buffer);
  EXPECT_EQ(pixel(view, 0, 0)[0], 0);
  EXPECT_EQ(pixel(view, 1, 0)[0], 128);
  EXPECT_EQ(pixel(view, 2, 0)[0], 255);
}

TEST(Decode, CompressedImagesAreDecodedWhateverTheirKind)
{
  const cv::Mat image = ramp(40, 30);
  for (const std::string extension : {".jpg", ".png", ".webp"}) {
    SCOPED_TRACE(extension);
    const Bytes bytes = encoded(extension, image);
    cv::Mat buffer;

    const ImageView view = decode(compressed(bytes), buffer);

    ASSERT_EQ(view.width, 40);
    ASSERT_EQ(view.height, 30);
    EXPECT_EQ(view.format, PixelFormat::bgr);
    expect_near(pixel(view, 20, 20), image.at<cv::Vec3b>(20, 20), 16);
  }
}

TEST(Decode, GreyAndTransparentFilesBecomeBgr)
{
  cv::Mat buffer;
  const Bytes grey = encoded(".png", cv::Mat(4, 5, CV_8UC1, cv::Scalar(77)));
  EXPECT_EQ(pixel(decode(compressed(grey), buffer), 1, 1), cv::Vec3b(77, 77, 77));
  const Bytes transparent = encoded(".png", cv::Mat(4, 5, CV_8UC4, cv::Scalar(1, 2, 3, 9)));
  EXPECT_EQ(pixel(decode(compressed(transparent), buffer), 1, 1), cv::Vec3b(1, 2, 3));
}

TEST(Decode, NoPrefixOfACompressedImagePassesForTheWhole)
{
  for (const std::string extension : {".jpg", ".png", ".webp"}) {
    const Bytes bytes = encoded(extension, ramp(40, 30));
    // The last bytes of a PNG are an empty chunk and of a WebP perhaps padding: nothing is lost.
    const std::size_t shortest_whole = bytes.size() - (extension == ".jpg" ? 0 : 16);
    for (std::size_t size = 0; size < shortest_whole; ++size) {
      const Bytes prefix(bytes.begin(), bytes.begin() + size);
      cv::Mat buffer = ramp(40, 30);
      EXPECT_THROW(decode(compressed(prefix), buffer), ImageError) << extension << " " << size;
    }
  }
}

TEST(Decode, WhatIsNoImageIsSaid)
{
  for (const Bytes & bytes : {Bytes{}, Bytes{1}, Bytes(1000, 0xFF), Bytes{'B', 'M', 0, 0, 0}}) {
    cv::Mat buffer;
    try {
      decode(compressed(bytes), buffer);
      ADD_FAILURE() << bytes.size() << " bytes were accepted";
    } catch (const ImageError & error) {
      EXPECT_STREQ(error.what(), "the image is no JPEG, PNG or WebP, or is cut short");
    }
  }
}

/// A small file that claims to be large.
Bytes bomb(const std::string & extension, int width, int height)
{
  Bytes bytes = encoded(extension, ramp(16, 16));
  const auto put = [&](std::size_t at, int value, int count) {
    for (int i = count; i-- > 0; value >>= 8) {
      bytes[at + i] = static_cast<std::uint8_t>(value);
    }
  };
  if (extension == ".png") {
    put(16, width, 4);
    put(20, height, 4);
  } else {
    std::size_t at = 2;
    while (bytes[at + 1] != 0xC0) {
      at += 2 + bytes[at + 2] * 256 + bytes[at + 3];
    }
    put(at + 5, height, 2);
    put(at + 7, width, 2);
  }
  return bytes;
}

void expect_refusal_of_size(const Bytes & bytes, int width, int height)
{
  cv::Mat buffer;
  try {
    decode(compressed(bytes), buffer);
    ADD_FAILURE() << width << "x" << height << " was accepted";
  } catch (const ImageError & error) {
    const std::string claim = "claims " + std::to_string(width) + "x" + std::to_string(height);
    EXPECT_NE(std::string(error.what()).find(claim), std::string::npos) << error.what();
  }
}

TEST(Decode, AFileThatClaimsTooManyPixelsIsRefusedBeforeItIsDecoded)
{
  for (const cv::Size & claim :
       {cv::Size(65537, 1), cv::Size(1, 65537), cv::Size(2147483647, 2147483647),
        cv::Size(30000, 30000)}) {
    expect_refusal_of_size(bomb(".png", claim.width, claim.height), claim.width, claim.height);
  }
  expect_refusal_of_size(bomb(".jpg", 65535, 65535), 65535, 65535);
  expect_refusal_of_size(bomb(".jpg", 32000, 32000), 32000, 32000);
}

TEST(Decode, TheSizeOfAJpegIsFoundBehindFillBytesAndMarkersThatStandAlone)
{
  const Bytes extra{0xFF, 0xD0, 0xFF, 0x01, 0xFF, 0xFF};
  Bytes bytes = bomb(".jpg", 65535, 65535);
  bytes.insert(bytes.begin() + 2, extra.begin(), extra.end());
  expect_refusal_of_size(bytes, 65535, 65535);
}

TEST(Decode, TheBufferKeepsItsMemoryFromFrameToFrame)
{
  const Bytes bytes(32 * 32 * 4, 7);
  const CameraImage image = camera_image(bytes, Encoding::rgba8, 32, 32, 128);
  cv::Mat buffer;

  const ImageView first = decode(image, buffer);
  const ImageView second = decode(image, buffer);

  EXPECT_EQ(first.data, second.data);
}

TEST(Decode, DamagedFilesAreDecodedOrRefusedButNeverBringItDown)
{
  cv::RNG random(11);
  for (const std::string extension : {".jpg", ".png", ".webp"}) {
    const Bytes whole = encoded(extension, ramp(24, 17));
    for (int i = 0; i < 1000; ++i) {
      Bytes bytes = whole;
      for (int changes = random.uniform(1, 6); changes > 0; --changes) {
        bytes[random.uniform(0, static_cast<int>(bytes.size()))] =
          static_cast<std::uint8_t>(random.uniform(0, 256));
      }
      if (i % 4 == 0) {
        bytes.resize(random.uniform(0, static_cast<int>(bytes.size())));
      }
      cv::Mat buffer;
      try {
        const ImageView view = decode(compressed(bytes), buffer);
        EXPECT_GE(view.step, static_cast<std::size_t>(view.width) * 3);
        EXPECT_EQ(view.data, buffer.data);
      } catch (const ImageError &) {
      }
    }
  }
}

}  // namespace
}  // namespace mgproto::perception
