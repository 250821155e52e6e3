// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/ood/linear_logits.hpp"

#include <torch/torch.h>

#include "mgproto_ros/error.hpp"
#include "training/evaluate/ood/checked_input.hpp"

namespace mgproto
{

LinearLayer checked_layer(
  const torch::Tensor & weight, const torch::Tensor & bias, std::int64_t features)
{
  LinearLayer layer;
  layer.weight = checked_rows(weight, "weight", features);
  if (!bias.defined() || bias.dim() != 1 || bias.size(0) != weight.size(0)) {
    throw Error("bias: expected [" + std::to_string(weight.size(0)) + "]");
  }
  layer.bias = bias.detach().to(torch::kCPU, torch::kFloat64);
  return layer;
}

torch::Tensor linear_logits(
  const torch::Tensor & features, const torch::Tensor & weight, const torch::Tensor & bias)
{
  const torch::Tensor inputs = checked_matrix(features, "features");
  const LinearLayer layer = checked_layer(weight, bias, inputs.size(1));
  return inputs.matmul(layer.weight.t()) + layer.bias;
}

}  // namespace mgproto
