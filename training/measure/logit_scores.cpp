// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/logit_scores.hpp"

#include <torch/torch.h>

#include <algorithm>

#include "training/measure/checked_input.hpp"

namespace mgproto
{
namespace
{

constexpr double kGamma = 0.1;
constexpr std::int64_t kMostProbable = 100;  // M

}  // namespace

torch::Tensor msp(const torch::Tensor & logits)
{
  return checked_matrix(logits, "logits").softmax(1).amax(1);
}

torch::Tensor max_logit(const torch::Tensor & logits)
{
  return checked_matrix(logits, "logits").amax(1);
}

torch::Tensor energy(const torch::Tensor & logits)
{
  return checked_matrix(logits, "logits").logsumexp(1);
}

torch::Tensor gen(const torch::Tensor & logits)
{
  const torch::Tensor all = checked_matrix(logits, "logits").softmax(1);
  const torch::Tensor p = std::get<0>(all.topk(std::min(kMostProbable, all.size(1)), 1));
  return -(p * (1 - p)).pow(kGamma).sum(1);
}

std::vector<double> numbers(const torch::Tensor & scores)
{
  const torch::Tensor values = scores.to(torch::kFloat64).contiguous();
  return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

}  // namespace mgproto
