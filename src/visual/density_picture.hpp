// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__DENSITY_PICTURE_HPP_
#define VISUAL__DENSITY_PICTURE_HPP_

#include <opencv2/core.hpp>

#include "visual/density_histograms.hpp"

namespace mgproto::visual
{

// The layout, in pixels.
constexpr int kDensityPlotLeft = 248;
constexpr int kDensityPlotWidth = 924;
constexpr int kDensityStarRow = 110;   ///< of the star's centre
constexpr int kDensityFirstRow = 132;  ///< top of the first set
constexpr int kDensityRowHeight = 96;

/// One row a set, all on one axis, each as high as its highest bin; the threshold is a line through
/// all of them with a star on top. 8-bit BGR. What is not finite is left out.
cv::Mat density_picture(const DensityHistograms & histograms);

}  // namespace mgproto::visual

#endif  // VISUAL__DENSITY_PICTURE_HPP_
