// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/learn/closed_form.hpp"

#include <torch/torch.h>

#include <algorithm>

#include "model/mixture/class_prototypes.hpp"

namespace mgproto
{

PrototypeSearch find_prototypes(
  GaussianHead & head, const LocalFeatures & local, const torch::Tensor & class_means,
  std::uint64_t seed)
{
  const torch::NoGradGuard no_grad;
  const torch::Tensor labels = torch::tensor(local.labels, torch::kInt64);
  PrototypeSearch search;
  double kept_sum = 0;
  double all_sum = 0;
  for (int c = 0; c < head.classes(); ++c) {
    const auto [begin, end] = head.range_of(c);
    const ClassPrototypes found = find_class_prototypes(
      local.features, labels.eq(c), local.map_cols, class_means, c, end - begin, seed);
    head.means.slice(0, begin, end).copy_(found.means);
    head.priors.slice(0, begin, end).copy_(found.priors);
    search.candidates += found.candidates;
    search.kept += end - begin;
    kept_sum += found.apart.sum().item<double>();
    all_sum += found.apart_of_all;
  }
  search.told_apart_kept = kept_sum / static_cast<double>(search.kept);
  search.told_apart_dropped = (all_sum - kept_sum) / static_cast<double>(std::max<std::int64_t>(
                                                       1, search.candidates - search.kept));
  return search;
}

}  // namespace mgproto
