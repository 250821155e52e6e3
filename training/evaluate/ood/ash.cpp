// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/ood/ash.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>

#include "mgproto_ros/error.hpp"
#include "training/evaluate/ood/checked_input.hpp"
#include "training/evaluate/ood/energy.hpp"
#include "training/evaluate/ood/linear_logits.hpp"

namespace mgproto
{
namespace
{

constexpr double kLargestExponent = 100;

}  // namespace

torch::Tensor ash_s(const torch::Tensor & map, double percentile)
{
  if (!map.defined() || map.dim() != 4) {
    throw Error("feature map: expected [N, C, H, W]");
  }
  const torch::Tensor all = checked_matrix(map.flatten(1), "feature map");
  const std::int64_t count = all.size(1);
  const auto pruned = std::lround(checked_share(percentile, "percentile") * count);
  const auto [values, places] = all.topk(std::max<std::int64_t>(count - pruned, 1), 1);

  const torch::Tensor exponent = (all.sum(1, true) / values.sum(1, true))
                                   .nan_to_num(0)
                                   .clamp(-kLargestExponent, kLargestExponent);
  return torch::zeros_like(all).scatter_(1, places, values * exponent.exp()).view(map.sizes());
}

torch::Tensor ash_energy(
  const torch::Tensor & map, const torch::Tensor & weight, const torch::Tensor & bias,
  double percentile)
{
  return energy(linear_logits(ash_s(map, percentile).mean({2, 3}), weight, bias));
}

}  // namespace mgproto
