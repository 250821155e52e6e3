// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__MIXTURE__EXPECTATION_HPP_
#define MODEL__MIXTURE__EXPECTATION_HPP_

#include <torch/types.h>

#include <cstdint>

namespace mgproto
{

// Kc classes at once, each with N features and M prototypes: features [Kc, N, D], means [Kc, M, D],
// priors [Kc, M].

/// log pi_m N(f_n; p_m) but for -pi kappa |f_n|^2, which is the same for all m  [Kc, M, N].
torch::Tensor log_joint(
  const torch::Tensor & f, const torch::Tensor & p, const torch::Tensor & priors, double kappa);

/// E-step: gamma_nm ~ pi_m N(f_n; p_m, I / (2 pi kappa)), a distribution over m  [Kc, M, N].
torch::Tensor responsibilities(
  const torch::Tensor & features, const torch::Tensor & means, const torch::Tensor & priors,
  double concentration);

/// What the features assigned to each prototype add up to.
struct Assignments
{
  torch::Tensor count;    ///< N_m = sum_n gamma_nm        [Kc, M, 1]
  torch::Tensor sum;      ///< sum_n gamma_nm f_n          [Kc, M, D]
  std::int64_t features;  ///< N
};
Assignments assignments(const torch::Tensor & features, const torch::Tensor & responsibility);

/// k-means++: M features, each drawn with probability ~ its squared distance to those drawn before.
torch::Tensor kmeans_seeds(
  const torch::Tensor & features /*[N, D]*/, std::int64_t count, std::uint64_t seed,
  std::int64_t class_id);  // [M, D]

}  // namespace mgproto

#endif  // MODEL__MIXTURE__EXPECTATION_HPP_
