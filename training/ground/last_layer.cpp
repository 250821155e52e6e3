// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/ground/last_layer.hpp"

#include <torch/torch.h>

namespace mgproto
{
namespace
{

constexpr double kSparsity = 1e-4;
constexpr double kRate = 1e-4;
constexpr int kRounds = 20;
constexpr std::int64_t kBatch = 80;

}  // namespace

void fit_last_layer(
  Network & network, ProtoPNetHead & head, Loader & loader, const Progress & progress)
{
  std::vector<torch::Tensor> rows;
  std::vector<std::int64_t> classes;
  for_each_batch(network, loader, progress, [&](const BatchAnswers & seen) {
    rows.push_back(seen.similarity);
    classes.insert(
      classes.end(), seen.batch.labels.begin(), seen.batch.labels.begin() + seen.batch.count);
  });
  if (rows.empty()) {
    return;
  }
  const torch::AutoGradMode with_gradients(true);
  const torch::Tensor similarity = torch::cat(rows);
  const torch::Tensor labels = torch::tensor(classes, torch::kInt64);
  const torch::Tensor other =
    torch::one_hot(torch::tensor(head.prototype_class(), torch::kInt64), head.classes())
      .t()
      .logical_not();  // [C, K]
  torch::Tensor weight = head.weight.detach().clone().set_requires_grad(true);
  torch::optim::Adam optimizer({weight}, torch::optim::AdamOptions(kRate));
  for (int round = 0; round < kRounds; ++round) {
    for (std::int64_t begin = 0; begin < labels.size(0); begin += kBatch) {
      const torch::Tensor logits =
        torch::matmul(similarity.slice(0, begin, begin + kBatch), weight.t());
      const torch::Tensor loss =
        torch::nn::functional::cross_entropy(logits, labels.slice(0, begin, begin + kBatch)) +
        kSparsity * (weight * other).abs().sum();
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
    }
  }
  const torch::NoGradGuard no_grad;
  head.weight.copy_(weight);
}

}  // namespace mgproto
