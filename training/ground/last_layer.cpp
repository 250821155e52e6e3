// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/ground/last_layer.hpp"

#include <torch/torch.h>

namespace mgproto
{
namespace
{

constexpr double kLastLayerSparsity = 1e-4;
constexpr double kLastLayerRate = 1e-4;
constexpr int kLastLayerRounds = 20;
constexpr std::int64_t kLastLayerBatch = 80;

}  // namespace

void fit_last_layer(Network & network, Loader & loader, const Progress & progress)
{
  const PrototypeHead & head = *network.prototype_head();
  torch::Tensor last_layer = head.last_layer();  // [C, K]
  if (!last_layer.defined()) {
    return;
  }
  const ImageOutputs images =
    collect(network, loader, progress, {{"similarity", &BatchOutputs::similarity}});
  const torch::Tensor & similarity = images.similarity;
  const torch::Tensor & labels = images.labels;
  const torch::AutoGradMode with_gradients(true);
  const torch::Tensor other =
    torch::one_hot(torch::tensor(head.prototype_class(), torch::kInt64), head.classes())
      .t()
      .logical_not();  // [C, K]
  torch::Tensor weight = last_layer.detach().clone().set_requires_grad(true);
  torch::optim::Adam optimizer({weight}, torch::optim::AdamOptions(kLastLayerRate));
  for (int round = 0; round < kLastLayerRounds; ++round) {
    for (std::int64_t begin = 0; begin < labels.size(0); begin += kLastLayerBatch) {
      const torch::Tensor logits =
        torch::matmul(similarity.slice(0, begin, begin + kLastLayerBatch), weight.t());
      const torch::Tensor loss = torch::nn::functional::cross_entropy(
                                   logits, labels.slice(0, begin, begin + kLastLayerBatch)) +
                                 kLastLayerSparsity * (weight * other).abs().sum();
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
    }
  }
  const torch::NoGradGuard no_grad;
  last_layer.copy_(weight);
}

}  // namespace mgproto
