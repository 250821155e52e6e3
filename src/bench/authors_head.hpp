// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BENCH__AUTHORS_HEAD_HPP_
#define BENCH__AUTHORS_HEAD_HPP_

#include <torch/types.h>

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

}  // namespace mgproto::bench

#endif  // BENCH__AUTHORS_HEAD_HPP_
