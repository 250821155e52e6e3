// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__EVALUATE_CHECKPOINT_HPP_
#define TRAINING__RUN__EVALUATE_CHECKPOINT_HPP_

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "training/run/ground_checkpoint.hpp"

namespace mgproto
{

struct EvaluationOptions
{
  ImagesOption images{"", "test"};         ///< of the model's classes
  std::map<std::string, std::string> ood;  ///< images to reject, by name
  bool interpretability = true;            ///< where the data has parts
  int dauc_every = 10;                     ///< images; DAUC takes 21 passes for each
};

/// All that METHOD names, of one checkpoint. Shares, not per cent; null where something cannot be
/// measured:
///  - "count", "accuracy", "top5", "ece", "cross_entropy", "broken"
///  - "per_class": [{"name", "count", "accuracy"}]
///  - "calibrated": {"threshold", "tpr"}: share of these images that the checkpoint takes for known
///  - "selective": {"log_density", "msp"}: {"aurc", "curve": [[coverage, accuracy]]}
///  - "ood": {NAME: {"count", "passed", "scores": {SCORE: {"fpr95", "auroc", "aupr_in", "aupr_out"}}}}
///  - "interpretability": {"consistency", "stability", "purity", "purity_std", "purity_train",
///    "purity_train_std", "oirr", "dauc", "diversity"}
/// Scores on features are fitted on the training split of the same data; null if it has none. Throws
/// Error; an OoD set that cannot be used has "error" instead of numbers.
nlohmann::ordered_json evaluate_checkpoint(
  const std::string & model, const EvaluationOptions & options, const StepProgress & progress);

}  // namespace mgproto

#endif  // TRAINING__RUN__EVALUATE_CHECKPOINT_HPP_
