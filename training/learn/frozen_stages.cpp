// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/learn/frozen_stages.hpp"

#include <torch/torch.h>

#include "mgproto_ros/error.hpp"
#include "model/upsampled.hpp"

namespace mgproto
{

FrozenStages::FrozenStages(Network & network, int stages, std::int64_t bytes)
: network_(network),
  backbone_(stages > 0 ? dynamic_cast<StagedBackbone *>(&network.backbone()) : nullptr),
  stages_(stages),
  bytes_left_(bytes)
{
  if (stages > 0 && backbone_ == nullptr) {
    throw ConfigError(
      "schedule.frozen_stages",
      network.config().backbone.architecture + " has no stages, only ResNets have");
  }
  if (backbone_ != nullptr && stages > backbone_->stages()) {
    throw ConfigError(
      "schedule.frozen_stages", std::to_string(stages) + " of a network that has " +
                                  std::to_string(backbone_->stages()) + ", the stem included");
  }
}

void FrozenStages::freeze()
{
  for (int stage = 0; backbone_ != nullptr && stage < stages_; ++stage) {
    for (const auto & module : backbone_->modules_of(stage)) {
      module->eval();
      for (auto & parameter : module->parameters()) {
        parameter.set_requires_grad(false);
      }
    }
  }
}

torch::Tensor FrozenStages::backbone_map(
  const torch::Tensor & images, const std::vector<std::int64_t> & views)
{
  if (backbone_ == nullptr) {
    return network_.backbone_map(images);
  }
  const torch::Tensor z =
    backbone_->forward_stages(first_stages(images, views), stages_, backbone_->stages());
  return upsampled(z, network_.config().backbone.upsample);
}

torch::Tensor FrozenStages::first_stages(
  const torch::Tensor & images, const std::vector<std::int64_t> & views)
{
  const torch::NoGradGuard no_grad;
  if (views.empty()) {
    return backbone_->forward_stages(images, 0, stages_);
  }
  std::vector<torch::Tensor> maps;  // [C, h, w] each
  for (std::int64_t b = 0; b < images.size(0); ++b) {
    const auto known = maps_.find(views[b]);
    if (known != maps_.end()) {
      maps.push_back(known->second);
      continue;
    }
    // Alone: its bits must not depend on which others of the batch are known.
    maps.push_back(backbone_->forward_stages(images.slice(0, b, b + 1), 0, stages_).squeeze(0));
    const auto bytes = static_cast<std::int64_t>(maps.back().nbytes());
    if (bytes <= bytes_left_) {
      bytes_left_ -= bytes;
      maps_[views[b]] = maps.back();
    }
  }
  return torch::stack(maps);
}

}  // namespace mgproto
