// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/ood/image_outputs.hpp"

#include <torch/torch.h>

#include "mgproto_ros/error.hpp"

namespace mgproto
{

ImageOutputs image_outputs(Network & network, Loader & loader, const Progress & progress)
{
  const torch::NoGradGuard no_grad;
  network.eval();
  const GaussianHead & head = network.head();
  std::vector<torch::Tensor> logits, features;
  std::vector<std::int64_t> labels;
  Batch batch;
  loader.start(0);
  std::int64_t done = 0;
  while (loader.next(batch)) {
    const torch::Tensor map = network.backbone_map(images_of(batch));
    const Densities densities = head.forward(network.features(map));
    logits.push_back(densities.log_class_density + head.class_priors.log());
    features.push_back(map.mean({2, 3}));
    labels.insert(labels.end(), batch.labels.begin(), batch.labels.begin() + batch.count);
    if (progress) {
      progress(++done, loader.batches_per_epoch());
    }
  }
  if (labels.empty()) {
    throw Error("no image could be read");
  }
  return {torch::cat(logits), torch::cat(features), torch::tensor(labels, torch::kInt64)};
}

}  // namespace mgproto
