// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__OOD__ODIN_HPP_
#define TRAINING__EVALUATE__OOD__ODIN_HPP_

#include <torch/types.h>

#include <functional>

namespace mgproto
{

/// ODIN (Liang et al., ICLR 2018), for a softmax head: the largest posterior at temperature 1000, of
/// the images after a step of 0.0014 up its own gradient. `logits` gives [B, C] of normalised images
/// and must be differentiable; a step is in units of the normalised input.
torch::Tensor odin(
  const torch::Tensor & images /*[B, 3, H, W]*/,
  const std::function<torch::Tensor(const torch::Tensor &)> & logits, double temperature = 1000,
  double step = 0.0014);  // [B]

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__OOD__ODIN_HPP_
