// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/recognition.hpp"

#include <torch/torch.h>

#include <limits>

#include "mgproto_ros/error.hpp"
#include "training/measure/checked_input.hpp"

namespace mgproto
{
namespace
{

constexpr std::int64_t kCalibrationBins = 15;

struct JudgedImages
{
  JudgedImages(const torch::Tensor & log_posteriors, const torch::Tensor & classes)
  : log_posterior(checked_rows(log_posteriors, "log posteriors")),
    labels(checked_labels(classes, log_posterior.size(0), log_posterior.size(1))),
    of_label(log_posterior.gather(1, labels.unsqueeze(1)))
  {
  }

  /// How many classes come before the true one [N]; 0 where the answer is right, which it never is
  /// where there is no number.
  torch::Tensor rank() const
  {
    const torch::Tensor later = torch::arange(log_posterior.size(1)).ge(labels.unsqueeze(1));
    const torch::Tensor behind = log_posterior.lt(of_label) | (log_posterior.eq(of_label) & later);
    return behind.logical_not().sum(1);
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
  return JudgedImages(log_posterior, labels).rank().lt(k).to(torch::kFloat64).mean().item<double>();
}

std::vector<std::optional<double>> class_accuracy(
  const torch::Tensor & log_posterior, const torch::Tensor & labels)
{
  const JudgedImages answers(log_posterior, labels);
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
  return -JudgedImages(log_posterior, labels).of_label.mean().item<double>();
}

double expected_calibration_error(const torch::Tensor & log_posterior, const torch::Tensor & labels)
{
  const JudgedImages answers(log_posterior, labels);
  const torch::Tensor confidence = answers.log_posterior.amax(1).exp().clamp_max(1);
  const torch::Tensor right = answers.rank().eq(0).to(torch::kFloat64);
  const torch::Tensor bin =
    ((confidence * kCalibrationBins).ceil() - 1).clamp_min(0).to(torch::kInt64);
  // A bin's |accuracy - confidence| times its images is the magnitude of the sum of differences.
  const torch::Tensor gaps = bin.bincount(right - confidence, kCalibrationBins).abs();
  return gaps.sum().item<double>() / static_cast<double>(confidence.size(0));
}

std::vector<std::vector<std::int64_t>> confusion(
  const torch::Tensor & log_posterior, const torch::Tensor & labels)
{
  const JudgedImages answers(log_posterior, labels);
  const torch::Tensor predicted = answers.log_posterior.argmax(1);
  const std::int64_t classes = answers.log_posterior.size(1);
  std::vector<std::vector<std::int64_t>> counts(classes, std::vector<std::int64_t>(classes, 0));
  for (std::int64_t i = 0; i < predicted.size(0); ++i) {
    ++counts[answers.labels[i].item<std::int64_t>()][predicted[i].item<std::int64_t>()];
  }
  return counts;
}

double accuracy(const ImageOutputs & images)
{
  return top_k_accuracy(images.logits.log_softmax(1), images.labels);
}

double accuracy(Network & network, Loader & loader, const Progress & progress)
{
  return accuracy(collect(network, loader, progress));
}

torch::Tensor nearest_mean_scores(
  const torch::Tensor & training_features, const torch::Tensor & training_labels,
  const torch::Tensor & features, std::int64_t classes)
{
  const torch::Tensor known = unit_vectors(training_features.to(torch::kFloat64));
  const torch::Tensor sums = torch::zeros({classes, known.size(1)}, torch::kFloat64)
                               .index_add_(0, training_labels, known);  // their direction is enough
  const torch::Tensor counts = torch::bincount(training_labels, {}, classes);
  const torch::Tensor distances =
    torch::cdist(unit_vectors(features.to(torch::kFloat64)), unit_vectors(sums));
  return -distances.masked_fill(counts.eq(0).unsqueeze(0), std::numeric_limits<double>::infinity());
}

}  // namespace mgproto
