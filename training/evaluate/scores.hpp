// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__SCORES_HPP_
#define TRAINING__EVALUATE__SCORES_HPP_

#include <functional>
#include <vector>

#include "model/network.hpp"
#include "training/data/loader.hpp"

namespace mgproto
{

/// Called with images done and images in all.
using Progress = std::function<void(std::int64_t, std::int64_t)>;

/// A batch that the network, in evaluation mode, has answered.
struct BatchAnswers
{
  const Batch & batch;
  torch::Tensor images;    ///< [B, 3, size, size]
  torch::Tensor z;         ///< the backbone's map [B, channels, h, w]
  torch::Tensor features;  ///< what the head looks at [B, D, h, w]; undefined without a head
  /// Of heads with prototypes: every one's map [B, K, h w], and its maximum [B, K].
  torch::Tensor maps;
  torch::Tensor similarity;
  torch::Tensor logits;  ///< [B, C]; undefined without a head
};

/// One pass over the images, however much is made of it. Puts the network into evaluation mode;
/// `loader` must not augment or shuffle.
void for_each_batch(
  Network & network, Loader & loader, const Progress & progress,
  const std::function<void(const BatchAnswers &)> & look);

/// What the network says about every image of a set, in the order of the set; broken images are
/// left out.
struct Scores
{
  std::vector<double> log_density;    ///< log p(x); of another head than MGProto's, the energy
  std::vector<double> max_posterior;  ///< the score called MSP
  std::vector<std::int64_t> predicted;
  std::vector<std::int64_t> label;

  /// Share of labelled images whose class was predicted.
  double accuracy() const;
  /// [C][C] counts, rows are true classes.
  std::vector<std::vector<std::int64_t>> confusion(std::int64_t classes) const;
};

/// Puts the network into evaluation mode. `loader` must not augment or shuffle.
Scores score(Network & network, Loader & loader, const Progress & progress = {});

/// What the network would say with each of these heads in place of its own, in one pass.
std::vector<Scores> score_heads(
  Network & network, const std::vector<const Head *> & heads, Loader & loader,
  const Progress & progress = {});

/// Network input [count, 3, size, size] in the batch's memory.
torch::Tensor images_of(Batch & batch);

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__SCORES_HPP_
