// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__OOD__ENERGY_HPP_
#define TRAINING__EVALUATE__OOD__ENERGY_HPP_

#include <torch/types.h>

namespace mgproto
{

/// log sum_c exp(logit_c), the negative energy at temperature 1 (Liu et al., NeurIPS 2020).
torch::Tensor energy(const torch::Tensor & logits /*[N, C]*/);  // [N]

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__OOD__ENERGY_HPP_
