// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a box is in space, for depth images of all kinds.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <random>

#include "perception/depth_images.hpp"
#include "perception/position.hpp"

namespace mgproto::perception
{
namespace
{

using test::depth_image;
using test::some_camera;
using test::wall;

constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();
constexpr float kEndless = std::numeric_limits<float>::infinity();
constexpr double kFarthestDepth = 20;
const Box kMiddleBox{220, 140, 200, 200};

std::optional<Position> position(const Box & box, const CameraImage & depth)
{
  return position_of(box, some_camera(), depth, kFarthestDepth);
}

TEST(Position, OfABoxOnAWallIsWhereTheRayThroughItsMiddleMeetsTheWall)
{
  const auto found = position({0, 0, 100, 50}, wall(640, 480, 2));

  ASSERT_TRUE(found);
  EXPECT_NEAR(found->z, 2, 1e-6);
  EXPECT_NEAR(found->x, 2 * (49.5 - 319.5) / 500, 1e-6);
  EXPECT_NEAR(found->y, 2 * (24.5 - 239.5) / 500, 1e-6);
  EXPECT_NEAR(found->width, 2 * 100 / 500.0, 1e-6);
  EXPECT_NEAR(found->height, 2 * 50 / 500.0, 1e-6);
  EXPECT_NEAR(found->thickness, 0.004, 1e-6);
}

TEST(Position, OnTheOpticalAxisHasNoOffset)
{
  const auto found = position(kMiddleBox, wall(640, 480, 1.5f));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->x, 0, 1e-9);
  EXPECT_NEAR(found->y, 0, 1e-9);
}

TEST(Position, TheCovarianceIsThatOfThePixelAndOfTheDepthAlongTheRay)
{
  const auto found = position({0, 0, 100, 50}, wall(640, 480, 2));

  ASSERT_TRUE(found);
  const auto & covariance = found->covariance;
  const double across = 2 * 50 / 500.0;  // metres that half of the box covers
  const double ray = (49.5 - 319.5) / 500;
  EXPECT_NEAR(covariance[0], across * across / 12 + 1e-6 * ray * ray, 1e-9);
  EXPECT_NEAR(covariance[8], 1e-6, 1e-12) << "a millimetre";
  EXPECT_NEAR(covariance[2], 1e-6 * ray, 1e-12);
  for (int row = 0; row < 3; ++row) {
    for (int col = 0; col < 3; ++col) {
      EXPECT_EQ(covariance[3 * row + col], covariance[3 * col + row]);
    }
    EXPECT_GT(covariance[4 * row], 0);
  }
}

TEST(Position, NoiseIsAveragedAwayAndComesBackAsTheDeviation)
{
  std::mt19937 random(5);
  std::normal_distribution<float> noise(3, 0.05f);
  const auto found =
    position(kMiddleBox, depth_image(640, 480, [&](int, int) { return noise(random); }));

  ASSERT_TRUE(found);
  EXPECT_NEAR(found->z, 3, 0.005);
  EXPECT_NEAR(std::sqrt(found->covariance[8]), 0.05, 0.005);
  EXPECT_NEAR(found->thickness, 0.2, 0.02);
}

TEST(Position, IsOfTheThingInTheMiddleAndNotOfTheWallAroundIt)
{
  // The thing fills four ninths of its box.
  const auto depth = depth_image(640, 480, [](int x, int y) {
    return std::abs(x - 320) < 67 && std::abs(y - 240) < 67 ? 1.0f : 4.0f;
  });
  const auto found = position(kMiddleBox, depth);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->z, 1, 1e-6);
}

TEST(Position, BetweenTwoEqualSurfacesIsOnOneOfThem)
{
  const auto depth = depth_image(640, 480, [](int x, int) { return x % 2 == 0 ? 1.0f : 3.0f; });
  const auto found = position(kMiddleBox, depth);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->z, 1);
}

TEST(Position, OutliersInTheMinorityDoNotMoveIt)
{
  std::mt19937 random(7);
  std::uniform_real_distribution<float> anywhere(0.2f, 19);
  const auto depth = depth_image(640, 480, [&](int x, int y) {
    return (x + y) % 3 == 0 ? anywhere(random) : 2.0f + 0.001f * static_cast<float>(y % 5);
  });
  const auto found = position(kMiddleBox, depth);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->z, 2.002, 0.004);
}

TEST(Position, WhatIsNoDepthDoesNotCount)
{
  for (const float hole : {0.0f, -1.0f, kNoNumber, kEndless, -kEndless, 1e30f, 20.1f}) {
    const auto depth =
      depth_image(640, 480, [&](int x, int y) { return (x / 3 + y) % 4 == 0 ? 2.5f : hole; });
    const auto found = position(kMiddleBox, depth);
    ASSERT_TRUE(found) << hole;
    EXPECT_NEAR(found->z, 2.5, 1e-6) << hole;
    EXPECT_FALSE(position(kMiddleBox, wall(640, 480, hole))) << hole;
  }
  for (const float hole : {0.0f, 65.535f}) {
    const auto depth = depth_image(
      640, 480, [&](int x, int) { return x % 4 == 0 ? 2.5f : hole; }, Encoding::mono16);
    EXPECT_NEAR(position_of(kMiddleBox, some_camera(), depth, 100)->z, 2.5, 1e-6);
    const auto none = depth_image(
      640, 480, [&](int, int) { return hole; }, Encoding::mono16);
    EXPECT_FALSE(position_of(kMiddleBox, some_camera(), none, 100));
  }
}

TEST(Position, FewerThanATenthOfThePixelsAreTooFew)
{
  const auto every = [](int which) {
    return depth_image(
      640, 480, [which](int x, int y) { return (x + 640 * y) % which == 0 ? 2.0f : kNoNumber; });
  };
  const Box small{300, 200, 40, 40};  // all pixels of its middle half are looked at
  EXPECT_TRUE(position(small, every(9)));
  EXPECT_FALSE(position(small, every(13)));
}

TEST(Position, MillimetresAndMetresOfEitherByteOrderAreTheSame)
{
  for (const Encoding encoding : {Encoding::mono16, Encoding::float32}) {
    for (const bool big_endian : {false, true}) {
      const auto depth = depth_image(
        640, 480, [](int, int) { return 1.234f; }, encoding, big_endian);
      const auto found = position(kMiddleBox, depth);
      ASSERT_TRUE(found);
      EXPECT_NEAR(found->z, 1.234, 1e-6);
    }
  }
}

TEST(Position, AtTheBordersAndOfOnePixelThereIsOne)
{
  const auto depth = wall(640, 480, 2);
  for (const Box box :
       {Box{0, 0, 1, 1}, Box{639, 479, 1, 1}, Box{0, 0, 640, 480}, Box{639, 0, 1, 480},
        Box{0, 478, 3, 2}}) {
    const auto found = position(box, depth);
    ASSERT_TRUE(found) << box.x << " " << box.y;
    EXPECT_NEAR(found->z, 2, 1e-6);
  }
}

TEST(Position, BoxesThatAreNotInTheImageHaveNone)
{
  const auto depth = wall(640, 480, 2);
  const int huge = std::numeric_limits<int>::max();
  for (const Box box :
       {Box{0, 0, 0, 10}, Box{-1, 0, 10, 10}, Box{635, 0, 10, 10}, Box{0, 480, 1, 1},
        Box{10, 10, -5, 5}, Box{huge, huge, huge, huge}, Box{0, 0, huge, huge}}) {
    EXPECT_FALSE(position(box, depth)) << box.x << " " << box.y;
  }
}

TEST(Position, DepthOfHalfTheSizeAndTheSameShapeIsTaken)
{
  const auto depth = depth_image(320, 240, [](int x, int) { return x < 160 ? 1.0f : 2.0f; });
  EXPECT_NEAR(position({100, 100, 100, 100}, depth)->z, 1, 1e-6);
  EXPECT_NEAR(position({400, 100, 100, 100}, depth)->z, 2, 1e-6);
  EXPECT_NEAR(position({400, 100, 1, 1}, depth)->z, 2, 1e-6);
}

TEST(Position, DepthOfAnotherShapeHasNone)
{
  EXPECT_FALSE(position(kMiddleBox, wall(640, 360, 2)));
  EXPECT_FALSE(position(kMiddleBox, wall(480, 640, 2)));
  EXPECT_FALSE(position(kMiddleBox, wall(16, 16, 2)));
}

TEST(Position, BytesThatDoNotMakeADepthImageHaveNone)
{
  const CameraImage good = wall(640, 480, 2);
  ASSERT_TRUE(position(kMiddleBox, good));
  const auto broken = [&](const auto & change) {
    CameraImage image = good;
    change(image);
    return position(kMiddleBox, image);
  };
  EXPECT_FALSE(broken([](CameraImage & image) { image.data = nullptr; }));
  EXPECT_FALSE(broken([](CameraImage & image) { image.size = 0; }));
  EXPECT_FALSE(broken([](CameraImage & image) { image.size /= 2; }));
  EXPECT_FALSE(broken([](CameraImage & image) { image.step = 640; }));
  EXPECT_FALSE(broken([](CameraImage & image) { image.step = ~std::size_t{0}; }));
  EXPECT_FALSE(broken([](CameraImage & image) { image.width = image.height = 0; }));
  EXPECT_FALSE(broken([](CameraImage & image) { image.width = image.height = 1 << 30; }));
  EXPECT_FALSE(broken([](CameraImage & image) { image.encoding = Encoding::bgr8; }));
}

TEST(Position, ACameraThatIsNoneHasNone)
{
  for (const double focal : {0.0, -500.0, std::nan(""), 1e-300, double{kEndless}}) {
    Intrinsics camera = some_camera();
    camera.fx = focal;
    const auto found = position_of({0, 0, 10, 10}, camera, wall(640, 480, 2), kFarthestDepth);
    EXPECT_TRUE(!found || std::isfinite(found->x)) << focal;
    EXPECT_EQ(found.has_value(), focal > 1) << focal;
  }
  Intrinsics camera = some_camera();
  camera.cx = std::nan("");
  EXPECT_FALSE(position_of(kMiddleBox, camera, wall(640, 480, 2), kFarthestDepth));
}

TEST(Position, AnImageOf8KTakesAFewMilliseconds)
{
  const CameraImage depth = wall(7680, 4320, 2);
  const auto camera = scaled_to({1920, 1080, 1500, 1500, 960, 540}, 7680, 4320);
  ASSERT_TRUE(camera);
  const auto begin = std::chrono::steady_clock::now();
  const auto found = position_of({0, 0, 7680, 4320}, *camera, depth, kFarthestDepth);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(100));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->z, 2, 1e-6);
}

TEST(Intrinsics, AreScaledToAnImageOfTheSameShape)
{
  const auto half = scaled_to(some_camera(), 320, 240);
  ASSERT_TRUE(half);
  EXPECT_EQ(half->fx, 250);
  EXPECT_NEAR(half->cx, 159.5, 1e-9) << "the middle stays the middle";
  EXPECT_TRUE(scaled_to({1280, 720, 900, 900, 640, 360}, 427, 240)) << "within a pixel";
  EXPECT_FALSE(scaled_to(some_camera(), 640, 360));
  EXPECT_FALSE(scaled_to(some_camera(), 0, 0));
  EXPECT_FALSE(scaled_to({640, 0, 500, 500, 0, 0}, 640, 480));
}

TEST(Intrinsics, WithoutASizeAreThoseOfTheImage)
{
  const auto camera = scaled_to({0, 0, 500, 500, 319.5, 239.5}, 640, 480);
  ASSERT_TRUE(camera);
  EXPECT_EQ(camera->width, 640);
  EXPECT_EQ(camera->fx, 500);
}

}  // namespace
}  // namespace mgproto::perception
