// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__OOD__NAMED_SCORES_HPP_
#define TRAINING__EVALUATE__OOD__NAMED_SCORES_HPP_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/network.hpp"
#include "training/evaluate/ood/image_outputs.hpp"

namespace mgproto
{

struct NamedScore
{
  std::string name;
  std::function<torch::Tensor(const ImageOutputs &)> score;  ///< none: nothing to fit it on
};

/// Every score that this network has, in the order of the tables: those on logits, those fitted on
/// the features of training images, and of a softmax head ReAct, ASH and ODIN. A backbone alone has
/// those on features. The network must outlive them.
std::vector<NamedScore> named_scores(
  Network & network, const std::optional<ImageOutputs> & training);

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__OOD__NAMED_SCORES_HPP_
