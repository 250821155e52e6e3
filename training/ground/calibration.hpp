// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__GROUND__CALIBRATION_HPP_
#define TRAINING__GROUND__CALIBRATION_HPP_

#include <vector>

#include "mgproto_ros/manifest.hpp"
#include "training/pass/image_outputs.hpp"

namespace mgproto
{

/// Of held-out images, so that a share `tpr` of images like them passes. Throws Error for too few images
/// or a density that is not finite.
Calibration calibrate(std::vector<double> log_density, double tpr);

/// The same for a model that asks more of its images.
Calibration calibrate(std::vector<Answers> answers, double tpr, Criterion criterion);

/// Of images whose logits, and of a model with familiarity similarities and features, were collected.
/// Without familiarity all but log p(x) are NaN.
std::vector<Answers> answers_of(Network & network, const ImageOutputs & images);

/// Their answers to the first question.
std::vector<double> log_densities(const std::vector<Answers> & answers);

/// By all that the model asks.
Calibration calibrate(
  Network & network, const ImageOutputs & images, double tpr, Criterion criterion);

/// What has to be collected for it.
Columns columns_for_calibration();

/// The same for the number of images alone, before anything has looked at them.
void check_calibration(std::int64_t images, double tpr);

}  // namespace mgproto

#endif  // TRAINING__GROUND__CALIBRATION_HPP_
