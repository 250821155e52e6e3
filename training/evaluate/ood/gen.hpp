// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__OOD__GEN_HPP_
#define TRAINING__EVALUATE__OOD__GEN_HPP_

#include <torch/types.h>

namespace mgproto
{

/// Minus the generalised entropy sum_c p_c^gamma (1 - p_c)^gamma over the M most probable classes,
/// all if there are fewer; gamma = 0.1 and M = 100 as in the paper (GEN, Liu et al., CVPR 2023).
torch::Tensor gen(const torch::Tensor & logits /*[N, C]*/);  // [N]

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__OOD__GEN_HPP_
