// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/feature_fits.hpp"

#include <torch/torch.h>

#include "mgproto_ros/error.hpp"
#include "training/measure/checked_input.hpp"

namespace mgproto
{
torch::Tensor training_features(const ImageOutputs & training)
{
  return checked_rows(training.features, "training features");
}

torch::Tensor logits_of(const ImageOutputs & images)
{
  torch::Tensor logits = checked_matrix(images.logits, "logits");
  if (logits.size(0) != images.features.size(0)) {
    throw Error("logits: expected as many rows as features");
  }
  return logits;
}

ClassMeans class_means(const torch::Tensor & features, const torch::Tensor & labels)
{
  const auto [classes, class_of, counts] =
    torch::_unique2(checked_labels(labels, features.size(0)), true, true, true);
  return {
    torch::zeros({classes.size(0), features.size(1)}, torch::kFloat64)
      .index_add_(0, class_of, features)
      .div_(counts.unsqueeze(1)),
    class_of};
}

}  // namespace mgproto
