// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__HEAT_MAP_HPP_
#define VISUAL__HEAT_MAP_HPP_

#include <opencv2/core.hpp>
#include <vector>

#include "mgproto_ros/prediction.hpp"

namespace mgproto::visual
{

/// A map of likelihoods [rows * cols] as CV_32F of `size`, bicubic, cut to 0 ... 1. A value that is not
/// finite counts as 0. Empty if the sizes do not fit together.
cv::Mat enlarged_map(const std::vector<float> & map, int rows, int cols, cv::Size size);

/// Blends likelihoods, CV_32F of the image's size or nothing, over an 8-bit BGR image. The scale is
/// the same in every picture: clear at 0, the darkest colour just above it, the palest one with the
/// share `opacity` at 1.
void blend_heat(cv::Mat image, const cv::Mat & likelihood, double opacity);

/// The same for a map over the part of the image that the network saw; `seen` is in pixels of this
/// image. Leaves the image as it is where `seen` is outside it, or if the sizes do not fit.
void blend_heat_map(
  cv::Mat & image, const std::vector<float> & map, int rows, int cols, const SeenRegion & seen,
  double opacity = 0.75);

/// Darkens what the network did not see; `seen` is in pixels of this image. Without a region, all
/// stays as it is.
void darken_unseen(cv::Mat & image, const SeenRegion & seen);

/// The same region in an image that is `horizontally` and `vertically` times as large.
SeenRegion scaled(const SeenRegion & seen, double horizontally, double vertically);

/// The region in whole pixels, cut to an image of `size`; empty if it is outside or not finite.
cv::Rect pixels(const SeenRegion & seen, cv::Size size);

}  // namespace mgproto::visual

#endif  // VISUAL__HEAT_MAP_HPP_
