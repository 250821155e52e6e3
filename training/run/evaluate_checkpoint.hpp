// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__EVALUATE_CHECKPOINT_HPP_
#define TRAINING__RUN__EVALUATE_CHECKPOINT_HPP_

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "training/run/ground_checkpoint.hpp"

namespace mgproto
{

struct EvaluationOptions
{
  ImagesOption images{"", "test"};         ///< of the model's classes
  std::map<std::string, std::string> ood;  ///< images to reject, by name
  bool interpretability = true;            ///< where the data has parts
  int dauc_every = 10;                     ///< images; DAUC takes 21 passes for each; 0: none
  std::vector<int> prune;                  ///< prototypes a class, rows of the pruning table
  bool project = false;                    ///< measure again after projection
  std::string cache;                       ///< directory for results; empty: none
};

/// Where results may be kept: mgproto_ros in $XDG_CACHE_HOME or ~/.cache; empty if there is neither.
std::string evaluation_cache_directory();

/// All that METHOD names, of one checkpoint. Shares, not per cent; null where something cannot be
/// measured:
///  - "count", "accuracy", "top5", "ece", "cross_entropy", "broken"; "left_out": {CLASS: images} of
///    classes that the model does not have
///  - "per_class": [{"name", "count", "accuracy"}], "confusion": [C][C] counts, rows are true classes
///  - "calibrated": {"threshold", "tpr"}: share of these images that the checkpoint takes for known
///  - "selective": {"log_density", "msp"}: {"aurc", "curve": [[coverage, accuracy]]}
///  - "positive": which side counts as positive
///  - "ood": {NAME: {"count", "passed", "scores": {SCORE: {"fpr95", "auroc", "aupr_in", "aupr_out"}}}}
///  - "projected": {"accuracy", "distinct_patches"}, null for a head without prototypes
///  - "pruning": [{"method", "keep", "prototypes", "accuracy", "ood": {NAME: {"fpr95", "auroc"}}}]
///  - "interpretability": {"consistency", "stability", "purity", "purity_std", "purity_train",
///    "purity_train_std", "oirr", "dauc", "diversity"}
/// What is fitted is fitted on the training split of the same data, null if it has none. Throws Error;
/// an OoD set that cannot be used has "error" instead of numbers. A result that the cache has is not
/// measured again.
nlohmann::ordered_json evaluate_checkpoint(
  const std::string & model, const EvaluationOptions & options, const StepProgress & progress);

}  // namespace mgproto

#endif  // TRAINING__RUN__EVALUATE_CHECKPOINT_HPP_
