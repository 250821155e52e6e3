// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__OOD__MSP_HPP_
#define TRAINING__EVALUATE__OOD__MSP_HPP_

#include <torch/types.h>

namespace mgproto
{

/// Maximal softmax probability (Hendrycks & Gimpel, ICLR 2017).
torch::Tensor msp(const torch::Tensor & logits /*[N, C]*/);  // [N]

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__OOD__MSP_HPP_
