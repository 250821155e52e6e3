// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__NEAREST_MEAN_HPP_
#define TRAINING__EVALUATE__NEAREST_MEAN_HPP_

#include <torch/types.h>

namespace mgproto
{

/// How far features are from the mean of each class's training features, all as unit vectors: minus
/// the distances [N, C], so that the largest is the answer. What features are worth before anything
/// is trained on them. A class without training images is infinitely far.
torch::Tensor nearest_mean_scores(
  const torch::Tensor & training_features /*[T, D]*/, const torch::Tensor & training_labels /*[T]*/,
  const torch::Tensor & features /*[N, D]*/, std::int64_t classes);

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__NEAREST_MEAN_HPP_
