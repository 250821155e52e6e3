// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__OOD__ASH_HPP_
#define TRAINING__EVALUATE__OOD__ASH_HPP_

#include <torch/types.h>

namespace mgproto
{

// ASH-S (Djurisic et al., ICLR 2023), for heads with a linear layer.

/// The feature map behind the last ReLU with all but the largest activations of each image, a share
/// of 1 - percentile and at least one, set to 0, and those multiplied by exp(s / s'), s and s' the
/// sums before and after. s / s' is at most 100, which only a percentile above 0.99 could exceed. A
/// map of zeros stays.
torch::Tensor ash_s(const torch::Tensor & map /*[N, C, H, W]*/, double percentile = 0.9);

/// Energy of the logits of the shaped map, pooled by its mean.
torch::Tensor ash_energy(
  const torch::Tensor & map /*[N, D, H, W]*/, const torch::Tensor & weight /*[C, D]*/,
  const torch::Tensor & bias /*[C]*/, double percentile = 0.9);  // [N]

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__OOD__ASH_HPP_
