// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/scores.hpp"

#include <torch/torch.h>

#include <cmath>

namespace mgproto
{
namespace
{

void append(std::vector<double> & values, const torch::Tensor & tensor)
{
  const torch::Tensor more = tensor.to(torch::kFloat64).contiguous();
  values.insert(values.end(), more.data_ptr<double>(), more.data_ptr<double>() + more.numel());
}

}  // namespace

torch::Tensor images_of(Batch & batch)
{
  const auto size = static_cast<std::int64_t>(
    std::lround(std::sqrt(static_cast<double>(batch.pixels.size()) / (3.0 * batch.count))));
  return torch::from_blob(batch.pixels.data(), {batch.count, 3, size, size}, torch::kFloat32);
}

double Scores::accuracy() const
{
  std::int64_t labelled = 0;
  std::int64_t right = 0;
  for (std::size_t i = 0; i < label.size(); ++i) {
    labelled += label[i] >= 0 ? 1 : 0;
    right += label[i] >= 0 && label[i] == predicted[i] ? 1 : 0;
  }
  return labelled > 0 ? static_cast<double>(right) / static_cast<double>(labelled) : 0;
}

std::vector<std::vector<std::int64_t>> Scores::confusion(std::int64_t classes) const
{
  std::vector<std::vector<std::int64_t>> counts(classes, std::vector<std::int64_t>(classes, 0));
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (label[i] >= 0) {
      ++counts[label[i]][predicted[i]];
    }
  }
  return counts;
}

Scores score(Network & network, Loader & loader, const Progress & progress)
{
  const torch::NoGradGuard no_grad;
  network.eval();
  Scores scores;
  Batch batch;
  loader.start(0);
  std::int64_t done = 0;
  while (loader.next(batch)) {
    const Densities densities = network.forward(images_of(batch));
    const auto [posterior, predicted] = densities.log_posterior.exp().max(1);
    append(scores.log_density, densities.log_density);
    append(scores.max_posterior, posterior);
    scores.predicted.insert(
      scores.predicted.end(), predicted.data_ptr<std::int64_t>(),
      predicted.data_ptr<std::int64_t>() + batch.count);
    scores.label.insert(
      scores.label.end(), batch.labels.begin(), batch.labels.begin() + batch.count);
    if (progress) {
      progress(++done, loader.batches_per_epoch());
    }
  }
  return scores;
}

}  // namespace mgproto
