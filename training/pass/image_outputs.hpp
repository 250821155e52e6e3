// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__PASS__IMAGE_OUTPUTS_HPP_
#define TRAINING__PASS__IMAGE_OUTPUTS_HPP_

#include <torch/types.h>

#include <map>
#include <string>
#include <vector>

#include "training/pass/pass.hpp"

namespace mgproto
{

/// What a network said about a set of images, in the order of the set, broken images left out: finite
/// numbers of float32's range. Undefined is what was not collected.
struct ImageOutputs
{
  /// [N, C]. Of MGProto log p(x|c) + log p(c), so that their log-sum-exp is log p(x) itself.
  torch::Tensor logits;
  torch::Tensor features;  ///< [N, channels], the mean over the backbone's map
  torch::Tensor labels;    ///< [N] int64, -1 without a class
  /// Of heads with prototypes: each one's similarity at its best position [N, K].
  torch::Tensor similarity = {};
  /// Of a softmax head: scores that need the whole map or the image itself [N].
  torch::Tensor ash = {};
  torch::Tensor odin = {};
  torch::Tensor images = {};  ///< [N] int64, indices into Dataset::samples

  /// By name, those that are defined.
  std::map<std::string, torch::Tensor> tensors() const;
  static ImageOutputs from(const std::map<std::string, torch::Tensor> & tensors);
};

/// What to collect of each batch, by the name of ImageOutputs' member.
using Columns = std::map<std::string, std::function<torch::Tensor(const BatchOutputs &)>>;

/// Labels and indices always, and the given columns.
class OutputCollector
{
public:
  explicit OutputCollector(Columns columns) : columns_(std::move(columns)) {}

  void add(const BatchOutputs & batch);

  /// Throws Error if there was no image.
  ImageOutputs result() const;

private:
  Columns columns_;
  std::map<std::string, std::vector<torch::Tensor>> rows_;
};

/// The columns of one pass over the images, by default what a network answers.
ImageOutputs collect(
  Network & network, Loader & loader, const Progress & progress = {},
  const Columns & columns = {{"logits", &BatchOutputs::logits}});

}  // namespace mgproto

#endif  // TRAINING__PASS__IMAGE_OUTPUTS_HPP_
