// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/ood/react.hpp"

#include <torch/torch.h>

#include "training/evaluate/ood/checked_input.hpp"
#include "training/evaluate/ood/energy.hpp"
#include "training/evaluate/ood/linear_logits.hpp"
#include "training/evaluate/ood_metrics.hpp"

namespace mgproto
{

double react_threshold(const torch::Tensor & training_features, double percentile)
{
  const torch::Tensor all = checked_rows(training_features, "training features").contiguous();
  return quantile(
    std::vector<double>(all.data_ptr<double>(), all.data_ptr<double>() + all.numel()),
    checked_share(percentile, "percentile"));
}

torch::Tensor react_energy(
  const torch::Tensor & features, const torch::Tensor & weight, const torch::Tensor & bias,
  double threshold)
{
  const torch::Tensor cut_off = checked_matrix(features, "features").clamp_max(threshold);
  return energy(linear_logits(cut_off, weight, bias));
}

}  // namespace mgproto
