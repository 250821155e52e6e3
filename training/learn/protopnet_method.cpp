// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/learn/protopnet_method.hpp"

#include <torch/torch.h>

#include <limits>

#include "model/heads/protopnet_head.hpp"

namespace mgproto
{
namespace
{

constexpr double kCluster = 0.8;
constexpr double kSeparation = 0.08;

}  // namespace

ProtoPNetMethod::ProtoPNetMethod(const LossConfig & config, PrototypeHead & head)
: config_(config), head_(head), class_of_(torch::tensor(head.prototype_class(), torch::kInt64))
{
  head_.last_layer().set_requires_grad(false);
}

Losses ProtoPNetMethod::losses(const SeenBatch & batch)
{
  const torch::Tensor distance =
    std::get<0>(ProtoPNetHead::squared_distances(batch.features, head_.means).min(2));  // [B, K]
  const torch::Tensor similarity = ProtoPNetHead::similarity(distance);
  Losses losses;
  losses.logits = head_.class_logits(similarity);
  losses.ce = torch::nn::functional::cross_entropy(losses.logits, batch.labels);
  losses.total = losses.ce;

  const torch::Tensor own = class_of_.unsqueeze(0).eq(batch.labels.unsqueeze(1));  // [B, K]
  constexpr double kFar = std::numeric_limits<float>::max();
  const torch::Tensor cluster = distance.masked_fill(own.logical_not(), kFar).amin(1).mean();
  const torch::Tensor separation = distance.masked_fill(own, kFar).amin(1).mean();
  losses.others = {{"cluster", cluster}, {"separation", separation}};
  losses.total = losses.total + kCluster * cluster - kSeparation * separation;

  if (config_.mining_weight != 0 && batch.epoch >= config_.mining_start) {
    losses.mining =
      mining_loss(head_, batch.features, similarity, batch.labels, config_.mining_levels);
    losses.total = losses.total + config_.mining_weight * losses.mining;
  }
  return losses;
}

}  // namespace mgproto
