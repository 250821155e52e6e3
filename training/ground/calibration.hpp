// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__GROUND__CALIBRATION_HPP_
#define TRAINING__GROUND__CALIBRATION_HPP_

#include <vector>

#include "mgproto_ros/manifest.hpp"

namespace mgproto
{

/// Of held-out images, so that a share `tpr` of images like them passes. Throws Error for too few images
/// or a density that is not finite.
Calibration calibrate(std::vector<double> log_density, double tpr);

/// The same for the number of images alone, before anything has looked at them.
void check_calibration(std::int64_t images, double tpr);

}  // namespace mgproto

#endif  // TRAINING__GROUND__CALIBRATION_HPP_
