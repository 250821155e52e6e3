// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/ood/vim.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>

#include "mgproto_ros/error.hpp"
#include "training/evaluate/ood/checked_input.hpp"
#include "training/evaluate/ood/energy.hpp"
#include "training/evaluate/ood/linear_logits.hpp"
#include "training/evaluate/ood/max_logit.hpp"

namespace mgproto
{
namespace
{

constexpr double kRounding = 1e-6;  // of float32 features, relative to their length

/// Logits that belong to the features, which must have been checked.
const torch::Tensor & logits_of(const ImageOutputs & images)
{
  if (checked_matrix(images.logits, "logits").size(0) != images.features.size(0)) {
    throw Error("logits: expected as many rows as features");
  }
  return images.logits;
}

}  // namespace

std::int64_t principal_dimensions(std::int64_t features, std::int64_t images)
{
  return std::min(features >= 2048 ? 1000 : features >= 768 ? 512 : features / 2, images / 2);
}

Vim::Vim(const ImageOutputs & training)
{
  const torch::Tensor features = checked_rows(training.features, "training features");
  origin_ = features.mean(0);
  fit(features, logits_of(training));
}

Vim::Vim(const ImageOutputs & training, const torch::Tensor & weight, const torch::Tensor & bias)
{
  const torch::Tensor features = checked_rows(training.features, "training features");
  const LinearLayer layer = checked_layer(weight, bias, features.size(1));
  origin_ = -torch::linalg_pinv(layer.weight).matmul(layer.bias);
  fit(features, logits_of(training));
}

void Vim::fit(const torch::Tensor & features, const torch::Tensor & logits)
{
  const torch::Tensor centred = features - origin_;
  const torch::Tensor moments = centred.t().matmul(centred) / features.size(0);
  const torch::Tensor directions = std::get<1>(torch::linalg_eigh(moments));  // by rising moment
  const std::int64_t principal = principal_dimensions(features.size(1), features.size(0));
  complement_ = directions.slice(1, 0, features.size(1) - principal).contiguous();

  const auto residuals = residual(features).sum().item<double>();
  const auto lengths = centred.norm(2, 1).sum().item<double>();
  const auto largest_logits = max_logit(logits).sum().item<double>();
  alpha_ = residuals > kRounding * lengths ? std::abs(largest_logits) / residuals : 0;
}

torch::Tensor Vim::residual(const torch::Tensor & features) const
{
  return (features - origin_).matmul(complement_).norm(2, 1);
}

torch::Tensor Vim::score(const ImageOutputs & images) const
{
  const torch::Tensor features = checked_matrix(images.features, "features", origin_.size(0));
  return energy(logits_of(images)) - alpha_ * residual(features);
}

}  // namespace mgproto
