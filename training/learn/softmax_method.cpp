// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/learn/softmax_method.hpp"

#include <torch/torch.h>

namespace mgproto
{

Losses SoftmaxMethod::losses(const SeenBatch & batch)
{
  Losses losses;
  losses.logits = head_.logits(batch.features);
  losses.ce = torch::nn::functional::cross_entropy(losses.logits, batch.labels);
  losses.total = losses.ce;
  return losses;
}

}  // namespace mgproto
