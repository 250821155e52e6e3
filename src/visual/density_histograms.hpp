// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__DENSITY_HISTOGRAMS_HPP_
#define VISUAL__DENSITY_HISTOGRAMS_HPP_

#include <cstddef>
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

}  // namespace mgproto::visual

#endif  // VISUAL__DENSITY_HISTOGRAMS_HPP_
