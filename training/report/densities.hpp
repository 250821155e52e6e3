// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__REPORT__DENSITIES_HPP_
#define TRAINING__REPORT__DENSITIES_HPP_

#include <optional>

#include "training/measure/results.hpp"
#include "visual/density_histograms.hpp"

namespace mgproto
{

/// Histograms of the sets "test", "calibration" and those to reject, where they have values. A share
/// is of the set's own images, so that sets of different size compare. Values beyond `from` and `to`
/// are in the outermost bins; values that are not finite are left out. No sets if there are none at
/// all.
visual::DensityHistograms density_histograms(
  const SetScores & log_density, const std::optional<double> & threshold);

}  // namespace mgproto

#endif  // TRAINING__REPORT__DENSITIES_HPP_
