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
  std::vector<torch::Tensor> maps(views.size());  // [C, h, w] each
  std::vector<std::int64_t> missing;
  for (std::size_t b = 0; b < views.size(); ++b) {
    const auto found = maps_.find(views[b]);
    if (found != maps_.end()) {
      maps[b] = found->second;
    } else {
      missing.push_back(static_cast<std::int64_t>(b));
    }
  }
  if (!missing.empty()) {
    const torch::Tensor computed = backbone_->forward_stages(
      images.index_select(0, torch::tensor(missing, torch::kInt64)), 0, stages_);
    const std::int64_t bytes = computed[0].numel() * computed.element_size();
    for (std::size_t i = 0; i < missing.size(); ++i) {
      maps[missing[i]] = computed[static_cast<std::int64_t>(i)];
      if (bytes <= bytes_left_) {
        bytes_left_ -= bytes;
        maps_[views[missing[i]]] = maps[missing[i]].clone();
      }
    }
  }
  return torch::stack(maps);
}

}  // namespace mgproto
