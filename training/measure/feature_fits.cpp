// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/feature_fits.hpp"

#include <torch/torch.h>

#include "mgproto_ros/error.hpp"
#include "training/measure/checked_input.hpp"

namespace mgproto
{
namespace
{

constexpr double kSmallestVariance = 1e-12;  // of the largest one

}  // namespace

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

/// Of N rows in more than N dimensions the inner products are fewer than the moments, and have the same
/// eigenvalues.
Axes axes_of(const torch::Tensor & rows)
{
  const bool by_rows = rows.size(0) < rows.size(1);
  const torch::Tensor products = by_rows ? rows.matmul(rows.t()) : rows.t().matmul(rows);
  const auto [rising, vectors] = torch::linalg_eigh(products / rows.size(0));
  const torch::Tensor moments = rising.flip(0);
  const torch::Tensor kept = moments.gt(kSmallestVariance * moments.max()).nonzero().flatten();
  Axes axes{moments.index_select(0, kept), vectors.flip(1).index_select(1, kept)};
  if (by_rows) {
    axes.directions =
      rows.t().matmul(axes.directions) / (axes.moments * rows.size(0)).sqrt().unsqueeze(0);
  }
  return axes;
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
