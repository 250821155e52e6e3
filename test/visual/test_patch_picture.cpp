// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <limits>
#include <opencv2/imgcodecs.hpp>

#include "visual/difference.hpp"
#include "visual/palette.hpp"
#include "visual/patch_picture.hpp"

namespace mgproto::visual
{
namespace
{

const cv::Mat kGrey(100, 200, CV_8UC3, cv::Scalar(90, 90, 90));

TEST(PatchPicture, HasASquareAroundTheBox)
{
  const PatchPicture patch = patch_of(kGrey, {80, 40, 40, 20});
  EXPECT_EQ(patch.pixels.size(), cv::Size(60, 60));
  EXPECT_EQ(patch.box, cv::Rect(10, 20, 40, 20));
}

TEST(PatchPicture, MovesTheSquareIntoTheImageAndCutsWhatDoesNotFit)
{
  const PatchPicture corner = patch_of(kGrey, {180, 90, 20, 10});
  EXPECT_EQ(corner.pixels.size(), cv::Size(30, 30));
  EXPECT_EQ(corner.box, cv::Rect(10, 20, 20, 10));

  const PatchPicture high = patch_of(kGrey, {10, 0, 20, 100});
  EXPECT_EQ(high.pixels.size(), cv::Size(150, 100));
  EXPECT_EQ(high.box, cv::Rect(10, 0, 20, 100));
}

TEST(PatchPicture, IsTheBoxAloneWithoutContext)
{
  const PatchPicture patch = patch_of(kGrey, {80, 40, 40, 20}, false);
  EXPECT_EQ(patch.pixels.size(), cv::Size(40, 20));
  EXPECT_TRUE(patch.box.empty());
}

TEST(PatchPicture, IsEmptyForABoxOutsideTheImage)
{
  const int most = std::numeric_limits<int>::max();
  for (const Box & box : {Box{}, Box{300, 0, 10, 10}, Box{most, most, most, most}}) {
    EXPECT_TRUE(patch_of(kGrey, box).pixels.empty());
  }
}

TEST(PatchPicture, FillsItsTileAndShowsTheBox)
{
  cv::Mat canvas(120, 120, CV_8UC3, kPaper);
  draw_patch(canvas, {0, 0, 120, 120}, patch_of(kGrey, {80, 40, 40, 20}), kInk);

  const cv::Mat plain(canvas.size(), CV_8UC3, cv::Scalar(90, 90, 90));
  EXPECT_EQ(difference(canvas, plain), cv::Rect(20, 40, 80, 40));
}

TEST(BoxedJpeg, HasTheBoxDrawnIn)
{
  Provenance source;
  cv::imencode(".jpg", cv::Mat(60, 60, CV_8UC3, cv::Scalar(200, 200, 200)), source.patch);
  EXPECT_EQ(boxed_jpeg(source), source.patch) << "no box, nothing to draw";

  source.in_patch = {10, 20, 40, 20};
  const cv::Mat boxed = cv::imdecode(boxed_jpeg(source), cv::IMREAD_COLOR);
  ASSERT_EQ(boxed.size(), cv::Size(144, 144));
  EXPECT_LT(boxed.at<cv::Vec3b>(48, 72)[1], 120);
  EXPECT_GT(boxed.at<cv::Vec3b>(12, 72)[1], 180);

  source.patch = {0xff, 0xd8, 0x00};
  EXPECT_EQ(boxed_jpeg(source), source.patch) << "not a picture, passed on";
}

}  // namespace
}  // namespace mgproto::visual
