// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "bench/authors.hpp"

#include <torch/torch.h>

#include <cmath>

#include "model/heads/gaussian_head.hpp"

namespace mgproto::bench
{
namespace
{

// The difference tensor is made in so many pieces, to hold less of it at a time.
constexpr std::int64_t kPieces = 4;

torch::Tensor dense_mixture(const torch::Tensor & priors)
{
  const std::int64_t C = priors.size(0), M = priors.size(1);
  torch::Tensor weights = torch::zeros({C, C * M}, priors.options());
  for (std::int64_t c = 0; c < C; ++c) {
    weights[c].slice(0, c * M, (c + 1) * M).copy_(priors[c]);
  }
  return weights;
}

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

AuthorsHead::AuthorsHead(const torch::Tensor & means, const torch::Tensor & priors)
: means_(means.flatten(0, 1)),
  sigmas_(torch::full_like(means_, 1 / std::sqrt(2 * M_PI))),
  weights_(dense_mixture(priors))
{
}

torch::Tensor AuthorsHead::log_likelihood_of(const torch::Tensor & features) const
{
  const double constant = -0.5 * static_cast<double>(features.size(1)) * std::log(2 * M_PI);
  const torch::Tensor difference =
    (features.unsqueeze(1) - means_.unsqueeze(0)) / sigmas_.unsqueeze(0);  // [n, C M, D]
  return difference.square().sum(2).mul(-0.5) - sigmas_.log().sum(1) + constant;
}

AuthorsDensities AuthorsHead::forward(const torch::Tensor & features, std::int64_t levels) const
{
  const std::int64_t B = features.size(0), D = features.size(1), CM = means_.size(0);
  const torch::Tensor unit = unit_vectors(features).flatten(2);   // [B, D, P]
  const torch::Tensor f = unit.transpose(1, 2).reshape({-1, D});  // [B P, D]
  std::vector<torch::Tensor> pieces;
  for (const torch::Tensor & piece : f.chunk(kPieces)) {
    pieces.push_back(log_likelihood_of(piece));
  }
  AuthorsDensities densities;
  densities.log_likelihood =
    torch::cat(pieces).view({B, -1, CM}).transpose(1, 2).contiguous();  // [B, C M, P]
  std::tie(densities.top_likelihood, densities.top_position) =
    densities.log_likelihood.exp().topk(levels, 2);
  std::vector<torch::Tensor> chosen, logits;
  for (std::int64_t t = 0; t < levels; ++t) {
    const torch::Tensor where =
      densities.top_position.select(2, t).unsqueeze(1).expand({B, D, CM}).contiguous();
    chosen.push_back(unit.gather(2, where));
    logits.push_back(torch::matmul(densities.top_likelihood.select(2, t), weights_.t()).log());
  }
  densities.top_feature = torch::stack(chosen, 3);
  densities.logits = torch::stack(logits, 2);
  densities.posterior = densities.logits.select(2, 0).softmax(1);
  densities.density = densities.logits.select(2, 0).exp().sum(1);
  return densities;
}

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
