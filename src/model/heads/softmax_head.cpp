// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/heads/softmax_head.hpp"

#include <torch/torch.h>

namespace mgproto
{

void SoftmaxHead::set_input_channels(std::int64_t channels)
{
  const torch::nn::Linear linear(channels, classes_);  // for LibTorch's initialisation
  weight = register_parameter("weight", linear->weight.detach().clone());
  bias = register_parameter("bias", linear->bias.detach().clone());
}

torch::Tensor SoftmaxHead::logits(
  const torch::Tensor & features, const torch::Tensor & /*whole*/) const
{
  return torch::nn::functional::linear(features.flatten(2).mean(2), weight, bias);
}

}  // namespace mgproto
