// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__DECISION_RULE_HPP_
#define TRAINING__MEASURE__DECISION_RULE_HPP_

#include "mgproto_ros/manifest.hpp"
#include "training/measure/ood_scores.hpp"

namespace mgproto
{

/// What a calibrated model decides by, as a score of many images at once.
struct DecisionRule
{
  OodScore score;
  double threshold = 0;  ///< a score below it means unknown
};

/// None without a calibration. Keeps a reference to the network.
std::optional<DecisionRule> decision_rule(
  Network & network, const std::optional<Calibration> & calibration);

/// The joint score of all questions, first in `scores`, if the model has one.
void add_joint_score(
  Network & network, const std::optional<Calibration> & calibration,
  std::vector<NamedScore> & scores);

}  // namespace mgproto

#endif  // TRAINING__MEASURE__DECISION_RULE_HPP_
