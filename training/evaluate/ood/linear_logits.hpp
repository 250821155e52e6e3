// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__OOD__LINEAR_LOGITS_HPP_
#define TRAINING__EVALUATE__OOD__LINEAR_LOGITS_HPP_

#include <torch/types.h>

namespace mgproto
{

/// A softmax head's last layer in float64.
struct LinearLayer
{
  torch::Tensor weight;  ///< [C, D]
  torch::Tensor bias;    ///< [C]
};

/// Throws Error unless the layer takes `features` numbers and has a bias for each class.
LinearLayer checked_layer(
  const torch::Tensor & weight, const torch::Tensor & bias, std::int64_t features);

/// Logits [N, C] of pooled features [N, D].
torch::Tensor linear_logits(
  const torch::Tensor & features, const torch::Tensor & weight, const torch::Tensor & bias);

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__OOD__LINEAR_LOGITS_HPP_
