// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__OOD_SCORES_HPP_
#define TRAINING__MEASURE__OOD_SCORES_HPP_

#include <string>
#include <vector>

#include "model/network.hpp"
#include "training/measure/feature_scores.hpp"

namespace mgproto
{

struct NamedScore
{
  std::string name;
  OodScore score;  ///< none: nothing to fit it on
};

/// Every score that this network has, in the order of the tables: those on logits, those fitted on
/// the features of training images, and of a softmax head those that need its linear layer. A
/// backbone alone has those on features. Without training images nothing is fitted.
std::vector<NamedScore> named_scores(Network & network, const ImageOutputs * training);

/// Those that need no other images: log p(x), or the energy of a head without it, and MSP.
std::vector<NamedScore> plain_scores(bool has_density);

/// The columns that these scores need. `with_odin` makes each image of a softmax head cost three
/// passes more.
Columns columns_for_scores(Network & network, bool with_odin);

}  // namespace mgproto

#endif  // TRAINING__MEASURE__OOD_SCORES_HPP_
