// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/softmax_scores.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "mgproto_ros/error.hpp"
#include "model/quantile.hpp"
#include "training/measure/checked_input.hpp"
#include "training/measure/logit_scores.hpp"

namespace mgproto
{
namespace
{

constexpr double kLargestExponent = 100;

/// log of the largest posterior, in float64: at this temperature all of them are nearly equal.
torch::Tensor log_confidence(const torch::Tensor & logits, double temperature)
{
  return logits.to(torch::kFloat64).div(temperature).log_softmax(1).amax(1);
}

/// Of each row of activations [N, M]: the largest ones, all but the given percentile and at least one.
std::tuple<torch::Tensor, torch::Tensor> largest(const torch::Tensor & all, double percentile)
{
  const std::int64_t count = all.size(1);
  const auto pruned = std::lround(checked_share(percentile, "percentile") * count);
  return all.topk(std::max<std::int64_t>(count - pruned, 1), 1);
}

/// exp of the sum of all activations over that of the largest ones [N, 1].
torch::Tensor sharpening(const torch::Tensor & all, const torch::Tensor & top)
{
  return (all.sum(1, true) / top.sum(1, true))
    .nan_to_num(0)
    .clamp(-kLargestExponent, kLargestExponent)
    .exp();
}

/// [N, C] of pooled features [N, D].
torch::Tensor linear_logits(const torch::Tensor & features, const LinearLayer & layer)
{
  const torch::Tensor inputs = checked_matrix(features, "features");
  const auto [weight, bias] = checked(layer, inputs.size(1));
  return inputs.matmul(weight.t()) + bias;
}

}  // namespace

LinearLayer checked(const LinearLayer & layer, std::int64_t features)
{
  const torch::Tensor weight = checked_rows(layer.weight, "weight", features);
  const torch::Tensor & bias = layer.bias;
  if (!bias.defined() || bias.dim() != 1 || bias.size(0) != weight.size(0)) {
    throw Error("bias: expected [" + std::to_string(weight.size(0)) + "]");
  }
  return {weight, bias.detach().to(torch::kCPU, torch::kFloat64)};
}

double react_threshold(const torch::Tensor & training_features, double percentile)
{
  return quantile(
    numbers(checked_rows(training_features, "training features")),
    checked_share(percentile, "percentile"));
}

torch::Tensor react_energy(
  const torch::Tensor & features, const LinearLayer & layer, double threshold)
{
  return energy(linear_logits(checked_matrix(features, "features").clamp_max(threshold), layer));
}

torch::Tensor ash_s(const torch::Tensor & map, double percentile)
{
  if (!map.defined() || map.dim() != 4) {
    throw Error("feature map: expected [N, C, H, W]");
  }
  const torch::Tensor all = checked_matrix(map.flatten(1), "feature map");
  const auto [values, places] = largest(all, percentile);
  return torch::zeros_like(all)
    .scatter_(1, places, values * sharpening(all, values))
    .view(map.sizes());
}

torch::Tensor ash_energy(const torch::Tensor & map, const LinearLayer & layer, double percentile)
{
  return energy(linear_logits(ash_s(map, percentile).mean({2, 3}), layer));
}

torch::Tensor scale_energy(
  const torch::Tensor & features, const LinearLayer & layer, double percentile)
{
  const torch::Tensor all = checked_matrix(features, "features");
  const torch::Tensor values = std::get<0>(largest(all, percentile));
  return energy(linear_logits(all * sharpening(all, values), layer));
}

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
