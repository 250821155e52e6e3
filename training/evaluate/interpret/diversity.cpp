// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/interpret/diversity.hpp"

#include <torch/torch.h>

namespace mgproto
{

std::optional<double> diversity(const PrototypeHead & head)
{
  const torch::NoGradGuard no_grad;
  double sum = 0;
  int classes = 0;
  for (int c = 0; c < head.classes(); ++c) {
    const auto [begin, end] = head.range_of(c);
    if (end - begin > 1) {
      sum +=
        torch::pdist(head.means.slice(0, begin, end).to(torch::kFloat64)).mean().item<double>();
      ++classes;
    }
  }
  if (classes == 0) {
    return {};
  }
  return sum / classes;
}

}  // namespace mgproto
