// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__RECOGNITION_HPP_
#define TRAINING__EVALUATE__RECOGNITION_HPP_

#include <torch/types.h>

#include <optional>
#include <vector>

namespace mgproto
{

// How well log posteriors [N, C] name the labels [N] of one or more images. Of equally probable
// classes the first is the answer. Throws Error if the shapes do not fit or a label is no class.

/// Share of images whose class is among the k most probable ones; 1 if k reaches C.
double top_k_accuracy(
  const torch::Tensor & log_posterior, const torch::Tensor & labels, std::int64_t k = 1);

/// [C] share of a class's images that were recognised; nothing for a class without images.
std::vector<std::optional<double>> class_accuracy(
  const torch::Tensor & log_posterior, const torch::Tensor & labels);

/// Mean of -log p(label | x).
double cross_entropy(const torch::Tensor & log_posterior, const torch::Tensor & labels);

/// Mean difference of confidence and accuracy over the bins (m - 1, m] / 15, m = 1..15, of the
/// largest posterior, weighted by their images (Guo et al., ICML 2017).
double expected_calibration_error(
  const torch::Tensor & log_posterior, const torch::Tensor & labels);

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__RECOGNITION_HPP_
