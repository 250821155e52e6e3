// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Depth images and camera infos of any content.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>

#include "messages/depth_input.hpp"
#include "messages/image_input.hpp"

namespace mgproto::messages
{
namespace
{

using sensor_msgs::msg::CameraInfo;
using sensor_msgs::msg::Image;

Image depth_message(const std::string & encoding, std::uint32_t bytes)
{
  Image image;
  image.header.stamp.sec = 12;
  image.header.frame_id = "optical";
  image.width = 4;
  image.height = 3;
  image.encoding = encoding;
  image.step = 4 * bytes;
  image.data.resize(image.step * image.height);
  return image;
}

perception::DepthImage read_message(const Image & image)
{
  return read_depth(std::make_shared<const Image>(image));
}

TEST(DepthInput, MillimetresAndMetresAreTakenWithHeaderAndByteOrder)
{
  Image image = depth_message("16UC1", 2);
  image.is_bigendian = 1;
  const auto millimetres = read_message(image);
  EXPECT_EQ(millimetres.image.encoding, perception::Encoding::mono16);
  EXPECT_EQ(millimetres.image.width, 4);
  EXPECT_TRUE(millimetres.image.big_endian);
  EXPECT_EQ(millimetres.header.stamp.sec, 12);
  EXPECT_EQ(millimetres.header.frame_id, "optical");
  EXPECT_EQ(read_message(depth_message("mono16", 2)).image.encoding, perception::Encoding::mono16);
  EXPECT_EQ(read_message(depth_message("32FC1", 4)).image.encoding, perception::Encoding::float32);
}

TEST(DepthInput, WhatIsNoDepthImageIsRefused)
{
  EXPECT_THROW(read_depth(nullptr), InvalidMessage);
  EXPECT_THROW(read_message(depth_message("bgr8", 3)), InvalidMessage);
  EXPECT_THROW(read_message(depth_message("mono8", 1)), InvalidMessage);
  EXPECT_THROW(read_message(depth_message("64FC1", 8)), InvalidMessage);
  EXPECT_THROW(read_message(depth_message("", 4)), InvalidMessage);
  Image image = depth_message("16UC1", 2);
  image.step = 7;
  EXPECT_THROW(read_message(image), InvalidMessage);
  image = depth_message("32FC1", 4);
  image.data.pop_back();
  EXPECT_THROW(read_message(image), InvalidMessage);
  image = depth_message("32FC1", 4);
  image.width = image.height = 0xffffffff;
  EXPECT_THROW(read_message(image), InvalidMessage);
  image = depth_message("32FC1", 4);
  image.data.clear();
  EXPECT_THROW(read_message(image), InvalidMessage);
}

CameraInfo camera_info()
{
  CameraInfo info;
  info.width = 640;
  info.height = 480;
  info.k = {500, 0, 320, 0, 510, 240, 0, 0, 1};
  return info;
}

TEST(CameraInfoInput, SaysThePinholeOfK)
{
  const auto camera = read_intrinsics(camera_info());
  ASSERT_TRUE(camera);
  EXPECT_EQ(camera->width, 640);
  EXPECT_EQ(camera->height, 480);
  EXPECT_EQ(camera->fx, 500);
  EXPECT_EQ(camera->fy, 510);
  EXPECT_EQ(camera->cx, 320);
  EXPECT_EQ(camera->cy, 240);
}

TEST(CameraInfoInput, APartOfTheSensorAndBinningMoveIt)
{
  CameraInfo info = camera_info();
  info.roi.x_offset = 100;
  info.roi.y_offset = 40;
  info.roi.width = 400;
  info.roi.height = 200;
  info.binning_x = info.binning_y = 2;
  const auto camera = read_intrinsics(info);
  ASSERT_TRUE(camera);
  EXPECT_EQ(camera->width, 200);
  EXPECT_EQ(camera->height, 100);
  EXPECT_EQ(camera->fx, 250);
  EXPECT_EQ(camera->fy, 255);
  EXPECT_NEAR(camera->cx, (320.5 - 100) / 2 - 0.5, 1e-9);
  EXPECT_NEAR(camera->cy, (240.5 - 40) / 2 - 0.5, 1e-9);
}

TEST(CameraInfoInput, WithoutACalibrationThereIsNone)
{
  EXPECT_FALSE(read_intrinsics(CameraInfo()));
  const double nan = std::nan("");
  for (const double wrong : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()}) {
    for (const int at : {0, 4}) {
      CameraInfo info = camera_info();
      info.k[at] = wrong;
      EXPECT_FALSE(read_intrinsics(info)) << wrong;
    }
  }
  CameraInfo info = camera_info();
  info.k[2] = nan;
  EXPECT_FALSE(read_intrinsics(info));
  info = camera_info();
  info.width = 0xffffffff;
  EXPECT_FALSE(read_intrinsics(info));
  info = camera_info();
  info.height = 0;
  EXPECT_FALSE(read_intrinsics(info));
  info.width = 0;
  EXPECT_TRUE(read_intrinsics(info)) << "a driver that does not say the size";
}

TEST(CameraInfoInput, AnyNumbersGiveACameraOrNone)
{
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    CameraInfo info;
    for (double & value : info.k) {
      const std::uint64_t bits = random();
      std::memcpy(&value, &bits, sizeof value);
    }
    info.width = static_cast<std::uint32_t>(random());
    info.height = random() % 2 == 0 ? info.width : 480;
    info.binning_x = static_cast<std::uint32_t>(random()) % 5;
    info.roi.x_offset = static_cast<std::uint32_t>(random());
    info.roi.width = random() % 2 == 0 ? 0 : static_cast<std::uint32_t>(random());
    if (const auto camera = read_intrinsics(info)) {
      EXPECT_TRUE(std::isfinite(camera->fx) && camera->fx > 0);
      EXPECT_TRUE(std::isfinite(camera->cy));
      EXPECT_LE(camera->width, perception::kMaxSide);
      EXPECT_GE(camera->width, 0);
    }
  }
}

}  // namespace
}  // namespace mgproto::messages
