// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__LEARN__LOSSES_HPP_
#define TRAINING__LEARN__LOSSES_HPP_

#include <torch/types.h>

#include <string>
#include <utility>
#include <vector>

#include "model/heads/gaussian_head.hpp"
#include "training/config.hpp"

namespace mgproto
{

/// What the network is trained on. Scalars; a term that is switched off is undefined.
struct Losses
{
  torch::Tensor logits;  ///< of the batch [B, C]
  torch::Tensor ce;
  torch::Tensor mining;
  torch::Tensor aux;
  std::vector<std::pair<std::string, torch::Tensor>> others;  ///< terms of other heads, by name
  torch::Tensor total;  ///< for MGProto L = L_ce + mining_weight L_mn + aux_weight L_aux
};

/// L_ce: cross-entropy of the Bayes posterior p(c|x), which with p(c) = 1/C is that of log p(x|c)
/// taken as logits. `labels` [B] are int64, as everywhere here.
torch::Tensor cross_entropy_loss(const Densities & densities, const torch::Tensor & labels);

/// L_mn: levels t = 2 .. T put the t-th most similar position of every prototype of the TRUE class
/// in place of the best one, against wrong classes at their best. The gradient reaches both sides.
/// T is clamped to the number of positions; 0 if that leaves no level. Every class must hold
/// equally many prototypes. Any head with prototypes can have it.
torch::Tensor mining_loss(
  const PrototypeHead & head, const torch::Tensor & features /*[B, D, ...]*/,
  const torch::Tensor & similarity /*[B, K], at the best positions*/, const torch::Tensor & labels,
  std::int64_t levels);

/// L_aux: Proxy-Anchor on the cosine of each image's embedding and each class's proxy. The positive
/// term is averaged over the classes that the batch holds, the negative one over all. Finite for
/// any finite input, a vector of length 0 included.
torch::Tensor proxy_anchor_loss(
  const torch::Tensor & embeddings /*[B, E]*/, const torch::Tensor & proxies /*[C, E]*/,
  const torch::Tensor & labels, double margin, double alpha);

/// All of them. `densities` is what `head` makes of `features`. Without `with_mining`, as before
/// LossConfig::mining_start, or where a weight is 0, the term is left undefined; `embeddings` and
/// `proxies` may then be undefined.
Losses network_losses(
  const GaussianHead & head, const torch::Tensor & features, const Densities & densities,
  const torch::Tensor & embeddings, const torch::Tensor & proxies, const torch::Tensor & labels,
  const LossConfig & config, bool with_mining);

}  // namespace mgproto

#endif  // TRAINING__LEARN__LOSSES_HPP_
