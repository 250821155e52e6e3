// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__GAUSSIAN_HEAD_HPP_
#define MODEL__GAUSSIAN_HEAD_HPP_

#include <torch/nn/module.h>

#include <optional>
#include <vector>

#include "mgproto_ros/model_config.hpp"

namespace mgproto
{

/// What the mixtures say about a batch. B images, K prototypes over all C classes.
struct Densities
{
  torch::Tensor log_likelihood;     ///< log h, the maximum over positions [B, K]
  torch::Tensor position;           ///< of that maximum, row * W + col    [B, K]
  torch::Tensor log_class_density;  ///< log p(x|c)                        [B, C]
  torch::Tensor log_posterior;      ///< log p(c|x)                        [B, C]
  torch::Tensor log_density;        ///< log p(x)                          [B]
};

/// L2-normalises every feature vector of [B, D, ...]; one of length 0 stays 0.
torch::Tensor unit_vectors(const torch::Tensor & features);

/// The `levels` largest values of each prototype's map [B, K, P] and their positions, largest first:
/// two tensors [B, K, T], T at most P.
std::pair<torch::Tensor, torch::Tensor> top_levels(const torch::Tensor & maps, std::int64_t levels);

/// Each class a mixture of Gaussian prototypes over unit feature vectors, Sigma = I / (2 pi kappa).
/// The constants of the Gaussian cancel, so a likelihood is exp(-pi kappa |f - p|^2), within (0, 1].
/// Classes may hold different numbers of prototypes; those of one class are neighbours in [K].
class GaussianHead : public torch::nn::Module
{
public:
  /// Means drawn uniformly from [0, 1) and normalised, priors 1/M, as training begins.
  GaussianHead(int classes, int prototypes_per_class, const HeadConfig & config);
  /// Given prototypes. `prototype_class` is ascending and names every class at least once.
  GaussianHead(
    const torch::Tensor & means, const torch::Tensor & priors,
    const std::vector<int> & prototype_class, const HeadConfig & config);

  /// features [B, D, H, W] or [B, D, P], L2-normalised.
  Densities forward(const torch::Tensor & features) const;

  /// log N(f; p, Sigma) at every position. `prototypes` chooses among [K]; all if not given.
  torch::Tensor log_likelihood_maps(
    const torch::Tensor & features /*[B, D, ...]*/,
    const std::optional<torch::Tensor> & prototypes = {}) const;  // [B, K, P]

  /// log sum_m pi_m h_m for each class.
  torch::Tensor log_mixture(const torch::Tensor & log_likelihood /*[B, K]*/) const;  // [B, C]

  /// Bayes. Fills the last two members from log p(x|c).
  void apply_bayes(Densities & densities) const;

  int classes() const { return static_cast<int>(class_priors.size(0)); }
  std::int64_t prototypes() const { return means.size(0); }
  /// [begin, end) of a class's prototypes in [K].
  std::pair<std::int64_t, std::int64_t> range_of(int class_id) const;
  const std::vector<int> & prototype_class() const { return prototype_class_; }
  double concentration() const { return concentration_; }

  torch::Tensor means;         ///< [K, D]
  torch::Tensor priors;        ///< pi [K]
  torch::Tensor class_priors;  ///< p(c) [C], 1/C unless set

private:
  std::vector<int> prototype_class_;       // [K]
  std::vector<std::int64_t> class_begin_;  // [C + 1]
  bool equal_counts_ = true;
  torch::Tensor slots_;  // [C * largest count]: index into [K], K where a class has fewer
  double concentration_;
};

}  // namespace mgproto

#endif  // MODEL__GAUSSIAN_HEAD_HPP_
