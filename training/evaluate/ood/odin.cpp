// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/ood/odin.hpp"

#include <torch/torch.h>

namespace mgproto
{
namespace
{

/// log of the largest posterior, in float64: at this temperature all of them are nearly equal.
torch::Tensor log_confidence(const torch::Tensor & logits, double temperature)
{
  return logits.to(torch::kFloat64).div(temperature).log_softmax(1).amax(1);
}

}  // namespace

torch::Tensor odin(
  const torch::Tensor & images, const std::function<torch::Tensor(const torch::Tensor &)> & logits,
  double temperature, double step)
{
  const torch::AutoGradMode with_gradients(true);
  const torch::Tensor input = images.detach().clone().set_requires_grad(true);
  const torch::Tensor confidence = log_confidence(logits(input), temperature).sum();
  const torch::Tensor gradient = torch::autograd::grad({confidence}, {input})[0];

  const torch::NoGradGuard no_grad;
  return log_confidence(logits(images + step * gradient.sign()), temperature).exp();
}

}  // namespace mgproto
