// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "bench/authors_em.hpp"

#include <torch/torch.h>

#include <cmath>

namespace mgproto::bench
{
namespace
{

constexpr double kSmoothing = 0.1;  // alpha
constexpr double kEma = 0.99;       // tau

/// log pi_m N(f_n; p_m), with both constants of the Gaussian.  [N, M]
torch::Tensor log_joint(
  const torch::Tensor & f /*[N, D]*/, const torch::Tensor & p /*[M, D]*/,
  const torch::Tensor & priors /*[M]*/)
{
  const torch::Tensor sigmas = torch::full_like(p, 1 / std::sqrt(2 * M_PI));
  const double constant = -0.5 * static_cast<double>(p.size(1)) * std::log(2 * M_PI);
  const torch::Tensor difference =
    (f.unsqueeze(1) - p.unsqueeze(0)) / sigmas.unsqueeze(0);  // [N, M, D]
  return difference.square().sum(2).mul(-0.5) - sigmas.log().sum(1) + constant + priors.log();
}

torch::Tensor smoothed_responsibilities(const torch::Tensor & log_joints)
{
  const torch::Tensor smooth =
    (log_joints - log_joints.logsumexp(1, /*keepdim=*/true)).exp() + kSmoothing;
  return smooth / smooth.sum(1, /*keepdim=*/true);
}

/// 1/(M(M-1)) sum_{m != m'} exp(-|p_m - p_m'|^2)
torch::Tensor closeness(const torch::Tensor & p)
{
  const std::int64_t M = p.size(0);
  const torch::Tensor squared = (p.unsqueeze(0) - p.unsqueeze(1)).square().sum(2);  // [M, M]
  return ((-squared).exp() * (1 - torch::eye(M))).sum() / static_cast<double>(M * (M - 1));
}

}  // namespace

AuthorsEm::AuthorsEm(
  const torch::Tensor & means, const torch::Tensor & priors, double learning_rate)
: means_(means.clone().requires_grad_()), priors_(priors.clone())
{
  adam_ = std::make_unique<torch::optim::Adam>(
    std::vector<torch::Tensor>{means_}, torch::optim::AdamOptions(learning_rate));
}

AuthorsEm::~AuthorsEm() = default;

void AuthorsEm::update(
  const torch::Tensor & features, const std::vector<std::int64_t> & classes, int loops)
{
  const torch::AutoGradMode with_gradients(true);
  for (const std::int64_t c : classes) {
    const torch::Tensor f = features[c];
    const auto N = static_cast<double>(f.size(0));
    for (int loop = 0; loop < loops; ++loop) {
      // E-step
      const torch::Tensor responsibility =
        smoothed_responsibilities(log_joint(f, means_[c].detach(), priors_[c]));  // [N, M]
      // M-step, means
      const torch::Tensor cost =
        -(responsibility * log_joint(f, means_[c], priors_[c])).sum() / N + closeness(means_[c]);
      adam_->zero_grad();
      cost.backward();
      adam_->step();
      // M-step, priors
      priors_[c].mul_(kEma).add_(responsibility.sum(0) / N, 1 - kEma);
    }
  }
}

}  // namespace mgproto::bench
