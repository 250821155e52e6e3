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
  torch::Tensor log_likelihood;     ///< log h, the maximum over positions [B, K]; with a whole,
                                    ///< each class's log h of the whole behind [B, K + C]
  torch::Tensor position;           ///< of the maximum, row * W + col     [B, K]
  torch::Tensor log_class_density;  ///< log p(x|c)                        [B, C]
  torch::Tensor log_posterior;      ///< log p(c|x)                        [B, C]
  torch::Tensor log_density;        ///< log p(x)                          [B]
};

/// Each class a mixture, or a product, of Gaussian prototypes over unit feature vectors, Sigma =
/// I / (2 pi kappa). The constants of the Gaussian cancel, so a likelihood is exp(-pi kappa
/// |f - p|^2), within (0, 1]. A similarity is the logarithm of that likelihood. With HeadConfig::whole
/// one more Gaussian a class stands for the image as a whole.
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

  /// features [B, D, H, W] or [B, D, P], L2-normalised; `whole` for a head that has one.
  Densities forward(const torch::Tensor & features, const torch::Tensor & whole = {}) const;

  /// log N(f; p, Sigma) at every position. `prototypes` chooses among [K]; all if not given.
  torch::Tensor log_likelihood_maps(
    const torch::Tensor & features /*[B, D, ...]*/,
    const std::optional<torch::Tensor> & prototypes = {}) const;  // [B, K, P]
  /// The same for any prototypes.
  torch::Tensor similarity_maps(
    const torch::Tensor & features, const torch::Tensor & prototypes) const override;

  torch::Tensor similarity(const torch::Tensor & maps, const torch::Tensor & whole) const override;
  /// log p(x|c) p(c), so that their log-sum-exp is log p(x).
  torch::Tensor class_logits(const torch::Tensor & log_likelihood) const override;
  torch::Tensor activation(const torch::Tensor & log_likelihood) const override;
  /// Of a mixture pi h / p(x|c). Of a product what each term adds to log p(x|c) above what a feature at
  /// right angles to the prototype gives, pi (log h + 2 pi kappa), as a share of the class's sum.
  torch::Tensor contributions(const torch::Tensor & log_likelihood) const override;

  /// log p(x|c): log sum_m pi_m h_m, or sum_m pi_m log h_m.  [B, C]
  torch::Tensor log_class_density(const torch::Tensor & log_likelihood /*[B, K (+ C)]*/) const;

  std::int64_t whole_dim() const override { return wholes.defined() ? config_.whole_dim : 0; }
  /// How many of the classes, the last ones, were taught: HeadConfig::taught.
  int taught() const { return config_.taught; }

  /// Bayes. Fills the last two members from log p(x|c).
  void apply_bayes(Densities & densities) const;

  double concentration() const { return config_.concentration; }

  torch::Tensor priors;  ///< pi [K]
  torch::Tensor
    wholes;  ///< mean of each class's Gaussian of the whole [C, whole_dim (+ 1)], or undefined
  torch::Tensor class_priors;  ///< p(c) [C], 1/C unless set

private:
  /// log N(u; q, Sigma) of the whole u under every class's q.
  torch::Tensor whole_likelihood(
    const torch::Tensor & whole /*[B, whole_dim + T]*/) const;  // [B, C]
  /// Columns [..., K (+ C)] by class [..., C, slots], the whole in the last slot; `nothing` where a
  /// class has fewer prototypes than the largest.
  torch::Tensor by_class(const torch::Tensor & columns, double nothing) const;
  /// Of each column: pi, or (1 - whole) pi and whole. Of a product pi is divided by its sum over the
  /// class, so that a pruned class is not more likely for it.
  torch::Tensor weights() const;  // [K (+ C)]

  HeadConfig config_;
  bool columns_are_slots_ = true;
  torch::Tensor
    slots_;  // [C * slots]: index into the columns, one behind the last where there is none
};

}  // namespace mgproto

#endif  // MODEL__HEADS__GAUSSIAN_HEAD_HPP_
