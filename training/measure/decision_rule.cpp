// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/decision_rule.hpp"

#include <torch/torch.h>

#include "model/decision.hpp"
#include "model/joint_score.hpp"
#include "training/ground/calibration.hpp"
#include "training/measure/logit_scores.hpp"

namespace mgproto
{
namespace
{

OodScore joint_score(Network & network, const Calibration & calibration)
{
  return [&network, score = JointScore(calibration.answers)](const ImageOutputs & images) {
    std::vector<double> scores;
    for (const Answers & answers : answers_of(network, images)) {
      scores.push_back(score(answers));
    }
    return torch::tensor(scores, torch::kFloat64);
  };
}

}  // namespace

std::optional<DecisionRule> decision_rule(
  Network & network, const std::optional<Calibration> & calibration)
{
  if (!calibration) {
    return std::nullopt;
  }
  DecisionRule rule;
  rule.threshold = threshold_for(*calibration);
  rule.score = criterion_of(*calibration) == Criterion::joint
                 ? joint_score(network, *calibration)
                 : [](const ImageOutputs & images) { return energy(images.logits); };
  return rule;
}

void add_joint_score(
  Network & network, const std::optional<Calibration> & calibration,
  std::vector<NamedScore> & scores)
{
  if (calibration && !calibration->joint.empty()) {
    scores.insert(scores.begin(), {"joint", joint_score(network, *calibration)});
  }
}

}  // namespace mgproto
