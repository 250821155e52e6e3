// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/mixture/expectation.hpp"

#include <torch/torch.h>

#include <algorithm>

#include "model/random.hpp"

namespace mgproto
{
namespace
{

constexpr double kTau = 6.28318530717958647693;  // 2 pi

}  // namespace

torch::Tensor log_joint(
  const torch::Tensor & f, const torch::Tensor & p, const torch::Tensor & priors, double kappa)
{
  const torch::Tensor of_prototype =
    priors.log() - p.square().sum(2) * (kTau / 2 * kappa);  // [Kc, M]
  return torch::bmm(p * (kTau * kappa), f.transpose(1, 2)).add_(of_prototype.unsqueeze(2));
}

torch::Tensor responsibilities(
  const torch::Tensor & features, const torch::Tensor & means, const torch::Tensor & priors,
  double concentration)
{
  return log_joint(features, means, priors, concentration).softmax(1);
}

Assignments assignments(const torch::Tensor & features, const torch::Tensor & responsibility)
{
  return {
    responsibility.sum(2, /*keepdim=*/true), torch::bmm(responsibility, features),
    features.size(1)};
}

torch::Tensor kmeans_seeds(
  const torch::Tensor & features, std::int64_t count, std::uint64_t seed, std::int64_t class_id)
{
  Random random{seed, static_cast<std::uint64_t>(class_id)};
  const std::int64_t N = features.size(0);
  const torch::Tensor f = features.to(torch::kCPU, torch::kFloat64);
  torch::Tensor nearest = torch::full({N}, 1.0, torch::kFloat64);  // at first all alike
  std::vector<std::int64_t> chosen;
  for (std::int64_t m = 0; m < count; ++m) {
    // The first feature at which the running sum passes the draw; one that was chosen before has a
    // weight of 0 and cannot be it. With fewer than `count` different features all weights are 0.
    const torch::Tensor running = nearest.cumsum(0);
    const double total = running[N - 1].item<double>();
    const double draw = random.uniform() * total;
    const auto * begin = running.data_ptr<double>();
    const std::int64_t pick = total > 0 ? std::upper_bound(begin, begin + N, draw) - begin
                                        : random.index(static_cast<int>(N));
    chosen.push_back(std::min(pick, N - 1));
    const torch::Tensor distance = (f - f[chosen.back()]).square().sum(1);
    nearest = m == 0 ? distance : torch::minimum(nearest, distance);
  }
  return features.index_select(0, torch::tensor(chosen, torch::kInt64).to(features.device()));
}

}  // namespace mgproto
