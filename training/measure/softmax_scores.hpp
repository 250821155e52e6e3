// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__SOFTMAX_SCORES_HPP_
#define TRAINING__MEASURE__SOFTMAX_SCORES_HPP_

#include <torch/types.h>

#include <functional>

#include "model/heads/head.hpp"

namespace mgproto
{

// OoD scores [N] that only a head with a linear layer on pooled features has.

/// In float64. Throws Error unless the layer takes `features` numbers and has a bias for each class.
LinearLayer checked(const LinearLayer & layer, std::int64_t features);

// ReAct (Sun et al., NeurIPS 2021).

/// The percentile, as a share, of all activations of the training images' pooled features [N, D].
double react_threshold(const torch::Tensor & training_features, double percentile = 0.9);

/// Energy of the logits of pooled features [N, D] that are cut off above the threshold.
torch::Tensor react_energy(
  const torch::Tensor & features, const LinearLayer & layer, double threshold);

// ASH-S (Djurisic et al., ICLR 2023).

/// The feature map behind the last ReLU with all but the largest activations of each image, a share
/// of 1 - percentile and at least one, set to 0, and those multiplied by exp(s / s'), s and s' the
/// sums before and after. s / s' is at most 100, which only a percentile above 0.99 could exceed. A
/// map of zeros stays.
torch::Tensor ash_s(const torch::Tensor & map /*[N, C, H, W]*/, double percentile = 0.9);

/// Energy of the logits of the shaped map, pooled by its mean.
torch::Tensor ash_energy(
  const torch::Tensor & map /*[N, D, H, W]*/, const LinearLayer & layer, double percentile = 0.9);

/// SCALE (Xu et al., ICLR 2024): energy of the logits of pooled features [N, D] that are multiplied by
/// exp(s / s') and not pruned, s the sum of an image's activations and s' that of the largest ones, a
/// share of 1 - percentile and at least one. 0.85 is OpenOOD's default; it is not searched for with
/// OoD images. s / s' is at most 100, as in ash_s.
torch::Tensor scale_energy(
  const torch::Tensor & features, const LinearLayer & layer, double percentile = 0.85);

/// ODIN (Liang et al., ICLR 2018): the largest posterior at temperature 1000, of the images after a
/// step of 0.0014 up its own gradient. `logits` gives [B, C] of normalised images and must be
/// differentiable; a step is in units of the normalised input.
torch::Tensor odin(
  const torch::Tensor & images /*[B, 3, H, W]*/,
  const std::function<torch::Tensor(const torch::Tensor &)> & logits, double temperature = 1000,
  double step = 0.0014);

}  // namespace mgproto

#endif  // TRAINING__MEASURE__SOFTMAX_SCORES_HPP_
