// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__PALETTE_HPP_
#define VISUAL__PALETTE_HPP_

#include <array>
#include <cstddef>
#include <opencv2/core.hpp>

#include "mgproto_ros/prediction.hpp"

namespace mgproto::visual
{

/// A colour as it is written on the web, 0xRRGGBB, in OpenCV's order.
inline cv::Scalar colour(unsigned rgb)
{
  return cv::Scalar(rgb & 0xff, (rgb >> 8) & 0xff, (rgb >> 16) & 0xff);
}

/// Pixels between the edge of a picture and what is on it.
constexpr int kMargin = 28;

inline const cv::Scalar kPaper = colour(0xffffff);
inline const cv::Scalar kInk = colour(0x1f2937);
inline const cv::Scalar kFaintInk = colour(0x6b7280);
inline const cv::Scalar kRule = colour(0xd1d5db);
inline const cv::Scalar kTile = colour(0xf3f4f6);

/// Green and red are kept for the verdict, so that no class looks like an alarm.
inline cv::Scalar verdict_colour(Verdict verdict)
{
  switch (verdict) {
    case Verdict::known:
      return colour(0x15803d);
    case Verdict::unknown:
      return colour(0xdc2626);
    case Verdict::uncalibrated:
      break;
  }
  return colour(0x6b7280);
}

/// By place: the first class is blue, the second orange, then they repeat.
inline cv::Scalar class_colour(std::size_t place)
{
  static const std::array<cv::Scalar, 4> colours{
    colour(0x2563eb), colour(0xea7a0c), colour(0x9333ea), colour(0x0d9488)};
  return colours[place % colours.size()];
}

}  // namespace mgproto::visual

#endif  // VISUAL__PALETTE_HPP_
