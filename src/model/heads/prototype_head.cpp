// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/heads/prototype_head.hpp"

#include <torch/torch.h>

#include "mgproto_ros/error.hpp"

namespace mgproto
{

std::vector<int> equal_classes(int classes, int per_class)
{
  std::vector<int> result;
  for (int c = 0; c < classes; ++c) {
    result.insert(result.end(), per_class, c);
  }
  return result;
}

std::pair<torch::Tensor, torch::Tensor> top_levels(const torch::Tensor & maps, std::int64_t levels)
{
  auto [values, positions] = maps.topk(std::min(levels, maps.size(2)), 2);
  return {values, positions};
}

PrototypeHead::PrototypeHead(const std::vector<int> & prototype_class)
: prototype_class_(prototype_class)
{
  class_begin_.push_back(0);
  for (std::size_t k = 0; k < prototype_class_.size(); ++k) {
    const bool last_of_class =
      k + 1 == prototype_class_.size() || prototype_class_[k + 1] != prototype_class_[k];
    if (prototype_class_[k] + 1 != static_cast<int>(class_begin_.size())) {
      throw Error("prototypes must be sorted by class and every class must have one");
    }
    if (last_of_class) {
      class_begin_.push_back(static_cast<std::int64_t>(k + 1));
    }
  }
}

torch::Tensor PrototypeHead::similarity(
  const torch::Tensor & maps, const torch::Tensor & /*whole*/) const
{
  return maps.amax(2);
}

torch::Tensor PrototypeHead::logits(
  const torch::Tensor & features, const torch::Tensor & whole) const
{
  return class_logits(similarity(similarity_maps(features, means), whole));
}

std::pair<std::int64_t, std::int64_t> PrototypeHead::range_of(int class_id) const
{
  return {class_begin_.at(class_id), class_begin_.at(class_id + 1)};
}

torch::Tensor PrototypeHead::means_of(int class_id) const
{
  const auto [begin, end] = range_of(class_id);
  return means.slice(0, begin, end);
}

}  // namespace mgproto
