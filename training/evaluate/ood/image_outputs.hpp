// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__OOD__IMAGE_OUTPUTS_HPP_
#define TRAINING__EVALUATE__OOD__IMAGE_OUTPUTS_HPP_

#include <torch/types.h>

#include <map>
#include <string>
#include <vector>

#include "model/network.hpp"
#include "training/evaluate/scores.hpp"

namespace mgproto
{

/// What a network gave for a set of images, finite numbers of float32's range. Scores compute in
/// float64 and are finite too; a higher one means more in-distribution.
struct ImageOutputs
{
  torch::Tensor logits;    ///< [N, C]; undefined for a backbone alone
  torch::Tensor features;  ///< [N, D] pooled backbone features
  torch::Tensor labels;    ///< [N] int64
  /// Of heads with prototypes: each one's similarity at its best position [N, K].
  torch::Tensor similarity = {};
  /// Of a softmax head: scores that need the whole map or the image itself [N].
  torch::Tensor ash = {};
  torch::Tensor odin = {};

  /// By name, those that are defined.
  std::map<std::string, torch::Tensor> tensors() const;
  static ImageOutputs from(const std::map<std::string, torch::Tensor> & tensors);
};

/// Gathers the outputs of one pass. Of MGProto the logits are log p(x|c) + log p(c), so that their
/// log-sum-exp, the score called Energy, is log p(x) itself; features are the mean over the backbone's
/// map. In the order of the set, broken images left out.
class OutputCollector
{
public:
  /// `with_odin` makes each image of a softmax head cost three passes more.
  OutputCollector(Network & network, bool with_odin) : network_(network), with_odin_(with_odin) {}

  void add(const BatchAnswers & seen);

  /// Throws Error if there was no image.
  ImageOutputs result() const;

private:
  Network & network_;
  bool with_odin_;
  std::vector<std::int64_t> labels_;
  std::map<std::string, std::vector<torch::Tensor>> rows_;  // by the name of ImageOutputs' member
};

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__OOD__IMAGE_OUTPUTS_HPP_
