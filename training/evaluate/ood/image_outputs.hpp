// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__OOD__IMAGE_OUTPUTS_HPP_
#define TRAINING__EVALUATE__OOD__IMAGE_OUTPUTS_HPP_

#include <torch/types.h>

#include "model/network.hpp"
#include "training/data/loader.hpp"
#include "training/evaluate/scores.hpp"

namespace mgproto
{

/// What a network gave for a set of images, finite numbers of float32's range. Scores compute in
/// float64 and are finite too; a higher one means more in-distribution.
struct ImageOutputs
{
  torch::Tensor logits;    ///< [N, C]
  torch::Tensor features;  ///< [N, D] pooled backbone features
  torch::Tensor labels;    ///< [N] int64
};

/// Of MGProto the logits are log p(x|c) + log p(c), so that their log-sum-exp, the score called Energy,
/// is log p(x) itself; features are the mean over the backbone's map. In the order of the set, broken
/// images left out; throws Error if none is left. Puts the network into evaluation mode; `loader` must
/// not augment or shuffle.
ImageOutputs image_outputs(Network & network, Loader & loader, const Progress & progress = {});

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__OOD__IMAGE_OUTPUTS_HPP_
