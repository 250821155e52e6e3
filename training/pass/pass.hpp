// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__PASS__PASS_HPP_
#define TRAINING__PASS__PASS_HPP_

#include <torch/types.h>

#include <functional>

#include "datasets/loader.hpp"
#include "model/network.hpp"

namespace mgproto
{

/// Called with batches done and batches in all.
using Progress = std::function<void(std::int64_t, std::int64_t)>;

/// Network input [count, 3, size, size] in the batch's memory.
torch::Tensor images_of(Batch & batch);

/// A batch and what the network makes of it. An output is computed when it is first asked for, and
/// kept: a pass costs what its users look at. Undefined if the network has no such output.
class BatchOutputs
{
public:
  /// Keeps references.
  BatchOutputs(Network & network, Batch & batch) : network_(network), batch_(batch) {}

  const Batch & batch() const { return batch_; }
  torch::Tensor labels() const;                // [B]
  const torch::Tensor & images() const;        // [B, 3, size, size]
  const torch::Tensor & backbone_map() const;  // z [B, channels, h, w]
  torch::Tensor pooled() const;                // mean of z over its positions [B, channels]
  const torch::Tensor & features() const;      // what the head looks at [B, D, h, w]
  const torch::Tensor & whole() const;         // the same of the image as a whole [B, whole_dim]
  /// Of heads with prototypes: every one's map [B, K, h w], and PrototypeHead::similarity() of them.
  const torch::Tensor & maps() const;
  const torch::Tensor & similarity() const;
  const torch::Tensor & logits() const;  // [B, C]

private:
  Network & network_;
  Batch & batch_;
  mutable torch::Tensor images_, z_, features_, whole_, maps_, similarity_, logits_;
};

/// One pass over the images, however much is made of it. Puts the network into evaluation mode;
/// `loader` must not augment or shuffle.
void for_each_batch(
  Network & network, Loader & loader, const Progress & progress,
  const std::function<void(const BatchOutputs &)> & look);

}  // namespace mgproto

#endif  // TRAINING__PASS__PASS_HPP_
