// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "datasets/colour.hpp"

#include <cmath>
#include <cstdint>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

namespace mgproto
{
namespace
{

void change_brightness(double factor, cv::Mat & bgr) { bgr.convertTo(bgr, -1, factor); }

/// Blends with the image's mean grey.
void change_contrast(double factor, cv::Mat & bgr, cv::Mat & grey)
{
  cv::cvtColor(bgr, grey, cv::COLOR_BGR2GRAY);
  const double mean = std::floor(cv::mean(grey)[0] + 0.5);
  bgr.convertTo(bgr, -1, factor, (1 - factor) * mean);
}

/// Blends each pixel with its grey.
void change_saturation(double factor, cv::Mat & bgr, ColourScratch & scratch)
{
  cv::cvtColor(bgr, scratch.grey, cv::COLOR_BGR2GRAY);
  cv::cvtColor(scratch.grey, scratch.other, cv::COLOR_GRAY2BGR);
  cv::addWeighted(bgr, factor, scratch.other, 1 - factor, 0, bgr);
}

/// Turns the colour circle, which has 256 steps in 8-bit HSV.
void change_hue(double share, cv::Mat & bgr, cv::Mat & hsv)
{
  const auto steps = static_cast<std::uint8_t>(std::lround(share * 256) & 0xFF);
  if (steps == 0) {
    return;
  }
  cv::cvtColor(bgr, hsv, cv::COLOR_BGR2HSV_FULL);
  for (int y = 0; y < hsv.rows; ++y) {
    std::uint8_t * row = hsv.ptr<std::uint8_t>(y);
    for (int x = 0; x < hsv.cols; ++x) {
      row[3 * x] = static_cast<std::uint8_t>(row[3 * x] + steps);
    }
  }
  cv::cvtColor(hsv, bgr, cv::COLOR_HSV2BGR_FULL);
}

}  // namespace

void change_colours(const AugmentationDraw & draw, cv::Mat & bgr, ColourScratch & scratch)
{
  for (const int change : draw.colour_order) {
    if (change == 0 && draw.brightness != 1) {
      change_brightness(draw.brightness, bgr);
    } else if (change == 1 && draw.contrast != 1) {
      change_contrast(draw.contrast, bgr, scratch.grey);
    } else if (change == 2 && draw.saturation != 1) {
      change_saturation(draw.saturation, bgr, scratch);
    } else if (change == 3 && draw.hue != 0) {
      change_hue(draw.hue, bgr, scratch.other);
    }
  }
}

}  // namespace mgproto
