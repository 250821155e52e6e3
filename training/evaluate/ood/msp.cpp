// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/ood/msp.hpp"

#include <torch/torch.h>

#include "training/evaluate/ood/checked_input.hpp"

namespace mgproto
{

torch::Tensor msp(const torch::Tensor & logits)
{
  return checked_matrix(logits, "logits").softmax(1).amax(1);
}

}  // namespace mgproto
