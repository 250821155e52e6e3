// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/ood/knn.hpp"

#include <torch/torch.h>

#include <algorithm>

#include "mgproto_ros/error.hpp"
#include "model/heads/head.hpp"
#include "training/evaluate/ood/checked_input.hpp"

namespace mgproto
{
namespace
{

constexpr std::int64_t kImagesAtOnce = 64;  // bounds the distances in memory

}  // namespace

std::int64_t neighbours_within_classes(const torch::Tensor & labels)
{
  const std::int64_t classes = std::get<0>(torch::_unique2(labels)).size(0);
  return std::clamp<std::int64_t>(labels.size(0) / (2 * std::max<std::int64_t>(classes, 1)), 1, 50);
}

Knn::Knn(const ImageOutputs & training, std::int64_t k)
: features_(unit_vectors(checked_rows(training.features, "training features"))),
  k_(std::min(k, features_.size(0)))
{
  if (k < 1) {
    throw ConfigError("k", "must be at least 1");
  }
}

torch::Tensor Knn::score(const ImageOutputs & images) const
{
  const torch::Tensor queries =
    unit_vectors(checked_matrix(images.features, "features", features_.size(1)));
  const torch::Tensor lengths = features_.square().sum(1);
  torch::Tensor scores = torch::empty({queries.size(0)}, torch::kFloat64);
  for (std::int64_t first = 0; first < queries.size(0); first += kImagesAtOnce) {
    const torch::Tensor some =
      queries.slice(0, first, std::min(first + kImagesAtOnce, queries.size(0)));
    // |t|^2 - 2 q.t orders the training images t as |q - t| does.
    const torch::Tensor order = lengths - 2 * some.matmul(features_.t());
    const torch::Tensor neighbour = std::get<1>(order.kthvalue(k_, 1));
    const torch::Tensor distance = (some - features_.index_select(0, neighbour)).norm(2, 1);
    scores.slice(0, first, first + some.size(0)).copy_(-distance);
  }
  return scores;
}

}  // namespace mgproto
