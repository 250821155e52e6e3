// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/ground/keep_images.hpp"

#include <torch/torch.h>

namespace mgproto
{
namespace
{

constexpr std::int64_t kMostKept = 256;

Dataset evenly_chosen(const Dataset & dataset, std::int64_t most)
{
  Dataset chosen = dataset;
  chosen.samples.clear();
  const std::int64_t wanted = std::min(most, dataset.size());
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    if ((i + 1) * wanted / dataset.size() > i * wanted / dataset.size()) {
      chosen.samples.push_back(dataset.samples[i]);
    }
  }
  return chosen;
}

}  // namespace

SeenImages see_images(
  Network & network, const Dataset & dataset, const LoaderConfig & config,
  const Progress & progress)
{
  Loader loader(dataset, config);
  std::vector<torch::Tensor> pooled, features, labels;
  for_each_batch(network, loader, progress, [&](const BatchOutputs & batch) {
    pooled.push_back(batch.pooled());
    features.push_back(batch.features());
    labels.push_back(batch.labels());
  });
  return {torch::cat(pooled), torch::cat(features), torch::cat(labels)};
}

void keep_images(
  Network & network, const Dataset & held_out, const LoaderConfig & config,
  const Progress & progress)
{
  auto images = std::make_shared<SeenImages>(
    see_images(network, evenly_chosen(held_out, kMostKept), config, progress));
  if (const std::int64_t taught = network.gaussian_head().taught(); taught > 0) {
    const SeenImages & before = *network.seen();
    images = images->with(*before.where(before.classes() >= network.head().classes() - taught));
  }
  network.keep(images);
}

}  // namespace mgproto
