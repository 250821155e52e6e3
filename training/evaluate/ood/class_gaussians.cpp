// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/ood/class_gaussians.hpp"

#include <torch/torch.h>

#include "training/evaluate/ood/checked_input.hpp"

namespace mgproto
{
namespace
{

constexpr double kSmallestVariance = 1e-12;  // of the largest one
constexpr std::int64_t kExactDistance = 2;   // of cdist: differences, not a matrix product

}  // namespace

ClassGaussians::ClassGaussians(const ImageOutputs & training)
{
  const torch::Tensor features = checked_rows(training.features, "training features");
  const torch::Tensor labels = checked_labels(training.labels, features.size(0));
  const auto [classes, class_of, counts] = torch::_unique2(labels, true, true, true);

  const torch::Tensor means = torch::zeros({classes.size(0), features.size(1)}, torch::kFloat64)
                                .index_add_(0, class_of, features)
                                .div_(counts.unsqueeze(1));
  const torch::Tensor centred = features - means.index_select(0, class_of);
  const torch::Tensor covariance = centred.t().matmul(centred) / features.size(0);

  const auto [variances, directions] = torch::linalg_eigh(covariance);
  const torch::Tensor kept = variances.gt(kSmallestVariance * variances.max()).nonzero().flatten();
  whitening_ = directions.index_select(1, kept) / variances.index_select(0, kept).sqrt();
  means_ = means.matmul(whitening_);
}

torch::Tensor ClassGaussians::squared_distances(const torch::Tensor & features) const
{
  const torch::Tensor whitened =
    checked_matrix(features, "features", whitening_.size(0)).matmul(whitening_);
  return torch::cdist(whitened, means_, 2, kExactDistance).square();
}

}  // namespace mgproto
