// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__EVALUATE_CHECKPOINT_HPP_
#define TRAINING__RUN__EVALUATE_CHECKPOINT_HPP_

#include <map>
#include <string>
#include <vector>

#include "training/run/model_data.hpp"

namespace mgproto
{

struct EvaluationOptions
{
  ImagesOption images{"", "test"};         ///< of the model's classes
  std::map<std::string, std::string> ood;  ///< images to reject, by name
  int garbage = 20;                        ///< images of each kind of garbage; 0: none
  bool interpretability = true;            ///< of heads with prototypes
  int dauc_every = 10;                     ///< images; DAUC takes 21 passes for each; 0: none
  int belief_every = 10;                   ///< the same of sufficient, necessary and alike: seven
  std::vector<int> prune;                  ///< prototypes a class, rows of the pruning table
  bool project = false;                    ///< measure again after projection
  std::string scores;                      ///< file for the scores of every image; empty: none
  std::string cache;                       ///< directory for results; empty: none
};

/// An Evaluation, written.
struct EvaluationText
{
  std::string json;                             ///< evaluation_json()
  std::string table;                            ///< evaluation_table()
  std::map<std::string, std::string> unusable;  ///< OoD sets that could not be measured, and why
};

/// Where results may be kept: mgproto_ros in $XDG_CACHE_HOME or ~/.cache; empty if there is neither.
std::string evaluation_cache_directory();

/// All that METHOD names, of one checkpoint. What is fitted is fitted on the training split of the
/// same data, none if it has none. Throws Error; an OoD set that cannot be used has an error instead
/// of numbers. A result that the cache has is not measured again.
EvaluationText evaluate_checkpoint(
  const std::string & model, const EvaluationOptions & options, const StepProgress & progress);

}  // namespace mgproto

#endif  // TRAINING__RUN__EVALUATE_CHECKPOINT_HPP_
