// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__CALIBRATE_HPP_
#define MODEL__CALIBRATE_HPP_

#include <vector>

#include "mgproto_ros/manifest.hpp"
#include "model/network.hpp"

namespace mgproto
{

/// Of held-out images, so that a share `tpr` of images like them passes. Throws Error for too few images
/// or a density that is not finite.
Calibration calibrate(std::vector<double> log_density, double tpr);

/// The same for a model that asks more of its images.
Calibration calibrate(std::vector<Answers> answers, double tpr, Criterion criterion);

/// The same for the number of images alone, before anything has looked at them.
void check_calibration(std::int64_t images, double tpr);

/// What the model says of images, of their logits, similarities and pooled maps; of one without
/// familiarity the logits are enough, and all answers but log p(x) are NaN.
std::vector<Answers> answers_of(
  Network & network, const torch::Tensor & logits /*[N, C]*/,
  const torch::Tensor & similarity /*[N, K (+ C)]*/, const torch::Tensor & pooled);

/// Their answers to the first question.
std::vector<double> log_densities(const std::vector<Answers> & answers);

/// Of answers to all that the model asks.
Calibration calibrate(
  Network & network, std::vector<Answers> answers, double tpr, Criterion criterion);

}  // namespace mgproto

#endif  // MODEL__CALIBRATE_HPP_
