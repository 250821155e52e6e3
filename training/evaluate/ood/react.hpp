// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__OOD__REACT_HPP_
#define TRAINING__EVALUATE__OOD__REACT_HPP_

#include <torch/types.h>

namespace mgproto
{

// ReAct (Sun et al., NeurIPS 2021), for heads with a linear layer.

/// The percentile, as a share, of all activations of the training images' pooled features [N, D].
double react_threshold(const torch::Tensor & training_features, double percentile = 0.9);

/// Energy of the logits of pooled features [N, D] that are cut off above the threshold.
torch::Tensor react_energy(
  const torch::Tensor & features, const torch::Tensor & weight /*[C, D]*/,
  const torch::Tensor & bias /*[C]*/, double threshold);  // [N]

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__OOD__REACT_HPP_
