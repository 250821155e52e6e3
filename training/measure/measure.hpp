// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__MEASURE_HPP_
#define TRAINING__MEASURE__MEASURE_HPP_

#include "training/measure/decision_rule.hpp"
#include "training/measure/results.hpp"

namespace mgproto
{

/// What a model said about the images that it is measured on.
struct MeasuredImages
{
  ImageOutputs test;  ///< of the model's classes
  std::optional<ImageOutputs> calibration = {};
  std::map<std::string, ImageOutputs> ood = {};
};

/// What a pruned head would have said, from similarities: pruning takes prototypes away and changes
/// none. `kept` are those of the head that has said it.
MeasuredImages as_pruned(
  const MeasuredImages & images, const GaussianHead & pruned,
  const std::vector<std::int64_t> & kept);

/// Everything of ModelResult that outputs tell, name and history left to the caller. `head` may be
/// null, for one without prototypes; `rule` is the model's, none if it is not calibrated.
ModelResult measure_model(
  const PrototypeHead * head, const MeasuredImages & images, const std::vector<NamedScore> & scores,
  const std::optional<DecisionRule> & rule);

/// How well the scores tell each OoD set from the test images.
std::map<std::string, OodResult> measure_ood(
  const MeasuredImages & images, const std::vector<NamedScore> & scores,
  const std::optional<DecisionRule> & rule);

/// Fills in what an evaluation says about labelled images beside its accuracy.
void measure_recognition(
  const ImageOutputs & images, const std::vector<std::string> & classes, bool has_density,
  const std::optional<DecisionRule> & rule, Evaluation & evaluation);

}  // namespace mgproto

#endif  // TRAINING__MEASURE__MEASURE_HPP_
