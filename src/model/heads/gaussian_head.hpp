// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__HEADS__GAUSSIAN_HEAD_HPP_
#define MODEL__HEADS__GAUSSIAN_HEAD_HPP_

#include <optional>
#include <vector>

#include "mgproto_ros/model_config.hpp"
#include "model/heads/prototype_head.hpp"

namespace mgproto
{

/// L2-normalises every feature vector of [B, D, ...]; one of length 0 stays 0.
torch::Tensor unit_vectors(const torch::Tensor & features);

/// What the mixtures say about a batch. B images, K prototypes over all C classes.
struct Densities
{
  torch::Tensor log_likelihood;     ///< log h, the maximum over positions [B, K]
  torch::Tensor position;           ///< of that maximum, row * W + col    [B, K]
  torch::Tensor log_class_density;  ///< log p(x|c)                        [B, C]
  torch::Tensor log_posterior;      ///< log p(c|x)                        [B, C]
  torch::Tensor log_density;        ///< log p(x)                          [B]
};

/// Each class a mixture of Gaussian prototypes over unit feature vectors, Sigma = I / (2 pi kappa).
/// The constants of the Gaussian cancel, so a likelihood is exp(-pi kappa |f - p|^2), within (0, 1].
/// A similarity is the logarithm of that likelihood.
class GaussianHead : public PrototypeHead
{
public:
  /// Means drawn uniformly from [0, 1) and normalised, priors 1/M, as training begins.
  GaussianHead(int classes, int prototypes_per_class, const HeadConfig & config);
  GaussianHead(const std::vector<int> & prototype_class, const HeadConfig & config);
  /// Given prototypes.
  GaussianHead(
    const torch::Tensor & means, const torch::Tensor & priors,
    const std::vector<int> & prototype_class, const HeadConfig & config);

  /// To unit vectors.
  torch::Tensor after_second_convolution(const torch::Tensor & x) const override;

  /// features [B, D, H, W] or [B, D, P], L2-normalised.
  Densities forward(const torch::Tensor & features) const;

  /// log N(f; p, Sigma) at every position. `prototypes` chooses among [K]; all if not given.
  torch::Tensor log_likelihood_maps(
    const torch::Tensor & features /*[B, D, ...]*/,
    const std::optional<torch::Tensor> & prototypes = {}) const;  // [B, K, P]
  /// The same for any prototypes.
  torch::Tensor similarity_maps(
    const torch::Tensor & features, const torch::Tensor & prototypes) const override;

  /// log p(x|c) p(c), so that their log-sum-exp is log p(x).
  torch::Tensor class_logits(const torch::Tensor & log_likelihood) const override;
  torch::Tensor activation(const torch::Tensor & log_likelihood) const override;
  /// pi h / p(x|c).
  torch::Tensor contributions(const torch::Tensor & log_likelihood) const override;

  /// log sum_m pi_m h_m for each class.
  torch::Tensor log_mixture(const torch::Tensor & log_likelihood /*[B, K]*/) const;  // [B, C]

  /// Bayes. Fills the last two members from log p(x|c).
  void apply_bayes(Densities & densities) const;

  double concentration() const { return concentration_; }

  torch::Tensor priors;        ///< pi [K]
  torch::Tensor class_priors;  ///< p(c) [C], 1/C unless set

private:
  /// log pi_m h_m, -inf where a class has fewer prototypes than the largest.
  torch::Tensor log_terms(const torch::Tensor & log_likelihood) const;  // [B, C, largest count]

  bool equal_counts_ = true;
  torch::Tensor slots_;  // [C * largest count]: index into [K], K where a class has fewer
  double concentration_;
};

}  // namespace mgproto

#endif  // MODEL__HEADS__GAUSSIAN_HEAD_HPP_
