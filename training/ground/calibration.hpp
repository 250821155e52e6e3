// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__GROUND__CALIBRATION_HPP_
#define TRAINING__GROUND__CALIBRATION_HPP_

#include <vector>

#include "mgproto_ros/manifest.hpp"

namespace mgproto
{

/// The threshold that lets a share `tpr` of held-out images pass, and the quantiles that typicality
/// is read from. Throws Error for too few images or a density that is not finite.
Calibration calibrate(
  const std::vector<double> & log_density, double tpr, const PreprocessingConfig & preprocessing);

}  // namespace mgproto

#endif  // TRAINING__GROUND__CALIBRATION_HPP_
