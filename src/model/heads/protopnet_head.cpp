// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/heads/protopnet_head.hpp"

#include <torch/torch.h>

namespace mgproto
{
namespace
{

constexpr double kEpsilon = 1e-4;
constexpr double kOtherClass = -0.5;

}  // namespace

ProtoPNetHead::ProtoPNetHead(const std::vector<int> & prototype_class, std::int64_t feature_dim)
: PrototypeHead(prototype_class)
{
  const auto count = static_cast<std::int64_t>(prototype_class.size());
  means = register_parameter("means", torch::rand({count, feature_dim}));
  const torch::Tensor own =
    torch::one_hot(torch::tensor(prototype_class, torch::kInt64), classes()).t().to(torch::kBool);
  weight = register_parameter(
    "weight", torch::full({classes(), count}, kOtherClass).masked_fill(own, 1.0));
}

torch::Tensor ProtoPNetHead::squared_distances(
  const torch::Tensor & features, const torch::Tensor & prototypes)
{
  const torch::Tensor f = features.flatten(2);                                    // [B, D, P]
  const torch::Tensor p_squared = prototypes.square().sum(-1, /*keepdim=*/true);  // [K', 1]
  const torch::Tensor f_squared = f.square().sum(1, /*keepdim=*/true);            // [B, 1, P]
  return (torch::matmul(prototypes * -2, f) + p_squared + f_squared).clamp_min(0);
}

torch::Tensor ProtoPNetHead::similarity(const torch::Tensor & squared_distance)
{
  return ((squared_distance + 1) / (squared_distance + kEpsilon)).log();
}

torch::Tensor ProtoPNetHead::similarity_maps(
  const torch::Tensor & features, const torch::Tensor & prototypes) const
{
  return similarity(squared_distances(features, prototypes));
}

torch::Tensor ProtoPNetHead::class_logits(const torch::Tensor & similarity) const
{
  return torch::matmul(similarity, weight.t());
}

torch::Tensor ProtoPNetHead::contributions(const torch::Tensor & similarity) const
{
  const torch::Tensor own_class =
    torch::tensor(prototype_class(), torch::kInt64).to(weight.device());
  const torch::Tensor connection = weight.gather(0, own_class.unsqueeze(0));  // [1, K]
  const torch::Tensor points = (connection * similarity).clamp_min(0);        // [B, K]
  const torch::Tensor of_class = torch::zeros({points.size(0), classes()}, points.options())
                                   .index_add(1, own_class, points);  // [B, C]
  return points / of_class.clamp_min(kEpsilon).index_select(1, own_class);
}

torch::Tensor ProtoPNetHead::after_first_convolution(const torch::Tensor & x) const
{
  return x.relu();
}

torch::Tensor ProtoPNetHead::after_second_convolution(const torch::Tensor & x) const
{
  return x.sigmoid();
}

}  // namespace mgproto
