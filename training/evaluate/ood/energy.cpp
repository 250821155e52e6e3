// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/ood/energy.hpp"

#include <torch/torch.h>

#include "training/evaluate/ood/checked_input.hpp"

namespace mgproto
{

torch::Tensor energy(const torch::Tensor & logits)
{
  return checked_matrix(logits, "logits").logsumexp(1);
}

}  // namespace mgproto
