// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/recognition.hpp"

#include <torch/torch.h>

#include "mgproto_ros/error.hpp"
#include "training/evaluate/ood/checked_input.hpp"

namespace mgproto
{
namespace
{

constexpr std::int64_t kBins = 15;

struct Answers
{
  Answers(const torch::Tensor & log_posteriors, const torch::Tensor & classes)
  : log_posterior(checked_rows(log_posteriors, "log posteriors")),
    labels(checked_labels(classes, log_posterior.size(0), log_posterior.size(1))),
    of_label(log_posterior.gather(1, labels.unsqueeze(1)))
  {
  }

  /// How many classes come before the true one [N]; 0 where the answer is right.
  torch::Tensor rank() const
  {
    const torch::Tensor first = torch::arange(log_posterior.size(1)).lt(labels.unsqueeze(1));
    return (log_posterior.gt(of_label) | (log_posterior.eq(of_label) & first)).sum(1);
  }

  torch::Tensor log_posterior;  // [N, C]
  torch::Tensor labels;         // [N]
  torch::Tensor of_label;       // [N, 1]
};

}  // namespace

double top_k_accuracy(
  const torch::Tensor & log_posterior, const torch::Tensor & labels, std::int64_t k)
{
  if (k < 1) {
    throw ConfigError("k", "must be at least 1");
  }
  return Answers(log_posterior, labels).rank().lt(k).to(torch::kFloat64).mean().item<double>();
}

std::vector<std::optional<double>> class_accuracy(
  const torch::Tensor & log_posterior, const torch::Tensor & labels)
{
  const Answers answers(log_posterior, labels);
  const std::int64_t classes = answers.log_posterior.size(1);
  const torch::Tensor images = answers.labels.bincount({}, classes);
  const torch::Tensor right =
    answers.labels.bincount(answers.rank().eq(0).to(torch::kFloat64), classes);
  std::vector<std::optional<double>> accuracy(classes);
  for (std::int64_t c = 0; c < classes; ++c) {
    const auto count = images[c].item<std::int64_t>();
    if (count > 0) {
      accuracy[c] = right[c].item<double>() / static_cast<double>(count);
    }
  }
  return accuracy;
}

double cross_entropy(const torch::Tensor & log_posterior, const torch::Tensor & labels)
{
  return -Answers(log_posterior, labels).of_label.mean().item<double>();
}

double expected_calibration_error(const torch::Tensor & log_posterior, const torch::Tensor & labels)
{
  const Answers answers(log_posterior, labels);
  const torch::Tensor confidence = answers.log_posterior.amax(1).exp().clamp_max(1);
  const torch::Tensor right = answers.rank().eq(0).to(torch::kFloat64);
  const torch::Tensor bin = ((confidence * kBins).ceil() - 1).clamp_min(0).to(torch::kInt64);
  // A bin's |accuracy - confidence| times its images is the magnitude of the sum of differences.
  const torch::Tensor gaps = bin.bincount(right - confidence, kBins).abs();
  return gaps.sum().item<double>() / static_cast<double>(confidence.size(0));
}

}  // namespace mgproto
