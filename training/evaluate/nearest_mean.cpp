// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/nearest_mean.hpp"

#include <torch/torch.h>

#include <limits>

#include "model/heads/head.hpp"

namespace mgproto
{

torch::Tensor nearest_mean_scores(
  const torch::Tensor & training_features, const torch::Tensor & training_labels,
  const torch::Tensor & features, std::int64_t classes)
{
  const torch::Tensor known = unit_vectors(training_features.to(torch::kFloat64));
  const torch::Tensor sums = torch::zeros({classes, known.size(1)}, torch::kFloat64)
                               .index_add_(0, training_labels, known);  // their direction is enough
  const torch::Tensor counts = torch::bincount(training_labels, {}, classes);
  const torch::Tensor distances =
    torch::cdist(unit_vectors(features.to(torch::kFloat64)), unit_vectors(sums));
  return -distances.masked_fill(counts.eq(0).unsqueeze(0), std::numeric_limits<double>::infinity());
}

}  // namespace mgproto
