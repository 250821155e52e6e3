// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BENCH__AUTHORS_HPP_
#define BENCH__AUTHORS_HPP_

#include <torch/types.h>

#include <memory>
#include <vector>

namespace torch::optim
{
class Adam;
}

namespace mgproto::bench
{

struct AuthorsDensities
{
  torch::Tensor log_likelihood;  ///< [B, C M, P]
  torch::Tensor top_likelihood;  ///< the T largest of each map [B, C M, T]
  torch::Tensor top_position;    ///< [B, C M, T]
  torch::Tensor top_feature;     ///< the unit vectors there [B, D, C M, T]
  torch::Tensor logits;          ///< log p(x|c) of each level [B, C, T]
  torch::Tensor posterior;       ///< [B, C]
  torch::Tensor density;         ///< p(x), the sum over classes [B]
};

/// The head the way the MGProto authors compute it, as a mark to measure ours against: the
/// difference of every feature and every prototype [P, C M, D], both constants of the Gaussian, the
/// T best positions of every map and the features there also when nothing is learnt, and a dense
/// [C, C M] matrix for the mixtures.
class AuthorsHead
{
public:
  AuthorsHead(const torch::Tensor & means /*[C, M, D]*/, const torch::Tensor & priors /*[C, M]*/);

  AuthorsDensities forward(
    const torch::Tensor & features /*[B, D, h, w], of any length*/, std::int64_t levels) const;

private:
  torch::Tensor log_likelihood_of(const torch::Tensor & features /*[n, D]*/) const;  // [n, C M]

  torch::Tensor means_;    // [C M, D]
  torch::Tensor sigmas_;   // [C M, D]
  torch::Tensor weights_;  // [C, C M]: pi where the prototype is the class's, else 0
};

/// The modified EM the way the MGProto authors compute it, as a mark to measure ours against: class
/// after class, differences [N, M, D], gradients by autograd, and in every loop of every class one
/// step of one Adam over the means of all classes, which moves the other classes, too.
class AuthorsEm
{
public:
  AuthorsEm(
    const torch::Tensor & means /*[C, M, D]*/, const torch::Tensor & priors /*[C, M]*/,
    double learning_rate);
  ~AuthorsEm();

  /// `features` [C, N, D].
  void update(
    const torch::Tensor & features, const std::vector<std::int64_t> & classes, int loops = 3);

  torch::Tensor means() const { return means_.detach(); }
  const torch::Tensor & priors() const { return priors_; }

private:
  torch::Tensor means_;  // learns
  torch::Tensor priors_;
  std::unique_ptr<torch::optim::Adam> adam_;
};

}  // namespace mgproto::bench

#endif  // BENCH__AUTHORS_HPP_
