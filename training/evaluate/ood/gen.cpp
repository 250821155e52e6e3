// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/ood/gen.hpp"

#include <torch/torch.h>

#include <algorithm>

#include "training/evaluate/ood/checked_input.hpp"

namespace mgproto
{
namespace
{

constexpr double kGamma = 0.1;
constexpr std::int64_t kMostProbable = 100;  // M

}  // namespace

torch::Tensor gen(const torch::Tensor & logits)
{
  const torch::Tensor all = checked_matrix(logits, "logits").softmax(1);
  const torch::Tensor p = std::get<0>(all.topk(std::min(kMostProbable, all.size(1)), 1));
  return -(p * (1 - p)).pow(kGamma).sum(1);
}

}  // namespace mgproto
