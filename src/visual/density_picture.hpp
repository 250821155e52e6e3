// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__DENSITY_PICTURE_HPP_
#define VISUAL__DENSITY_PICTURE_HPP_

#include <cstddef>
#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <vector>

namespace mgproto::visual
{

/// One set of images.
struct DensityHistogram
{
  std::string name;
  bool to_reject = false;  ///< images of no class of the model
  std::size_t images = 0;
  std::optional<double> accepted;  ///< share at or above the threshold
  std::vector<double> shares;      ///< of the set's images, in bins of equal width
};

/// Histograms of log p(x) over common bins.
struct DensityHistograms
{
  double from = 0;
  double to = 1;
  std::optional<double> threshold;
  std::vector<DensityHistogram> sets;
};

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
