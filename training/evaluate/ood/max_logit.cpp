// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/ood/max_logit.hpp"

#include <torch/torch.h>

#include "training/evaluate/ood/checked_input.hpp"

namespace mgproto
{

torch::Tensor max_logit(const torch::Tensor & logits)
{
  return checked_matrix(logits, "logits").amax(1);
}

}  // namespace mgproto
