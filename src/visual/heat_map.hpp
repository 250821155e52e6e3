// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__HEAT_MAP_HPP_
#define VISUAL__HEAT_MAP_HPP_

#include <opencv2/core.hpp>
#include <vector>

#include "mgproto_ros/prediction.hpp"

namespace mgproto::visual
{

/// A likelihood map [rows * cols] stretched to 0 ... 1 (its lowest and highest finite value), as
/// CV_32F of `size`, bicubic. A flat map is 0 everywhere: no place stands out. Values that are not
/// finite count as the lowest. Empty if the sizes do not fit together.
cv::Mat relative_heat(const std::vector<float> & map, int rows, int cols, cv::Size size);

/// The colour of each value in 0 ... 1, CV_8UC3 BGR. Lightness rises with the value.
cv::Mat heat_colours(const cv::Mat & relative);

/// Blends the map over the part of an 8-bit BGR image that the network saw; `seen` is in pixels of
/// this image. The photo shows through where the map is low; at its peak the colour has the share
/// `opacity`. Leaves the image as it is where `seen` is outside it, or if the sizes do not fit.
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
