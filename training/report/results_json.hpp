// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__REPORT__RESULTS_JSON_HPP_
#define TRAINING__REPORT__RESULTS_JSON_HPP_

#include <nlohmann/json.hpp>
#include <string>

#include "training/measure/results.hpp"

namespace mgproto
{

/// How well prototypes explain, by the names that JSON and tables have, in their order; of data with
/// parts also what to judge it by. A / in a name is a level in JSON.
std::vector<std::pair<std::string, std::optional<double>>> interpretability_rows(
  const Evaluation & evaluation);

/// Shares, not per cent; null where something cannot be measured:
///  - "count", "accuracy", "top5", "ece", "cross_entropy", "broken"; "left_out": {CLASS: images} of
///    classes that the model does not have; of a backbone alone "classifier", too
///  - "per_class": [{"name", "count", "accuracy"}], "confusion": [C][C] counts, rows are true classes
///  - "calibrated": {"threshold", "tpr"}: share of these images that the checkpoint takes for known
///  - "selective": {"log_density", "msp"}: {"aurc", "curve": [[coverage, accuracy]]}
///  - "positive": which side counts as positive
///  - "ood": {NAME: {"count", "passed", "scores": {SCORE: {"fpr95", "auroc", "aupr_in", "aupr_out"}}}},
///    or {"error"} for a set that could not be used
///  - "projected": {"accuracy", "distinct_patches"}, null for a head without prototypes
///  - "pruning": [{"method", "keep", "prototypes", "accuracy", "ood": {NAME: {"fpr95", "auroc"}}}]
///  - "interpretability": interpretability_rows()
nlohmann::ordered_json evaluation_json(const Evaluation & evaluation);

/// results.json without log densities and pictures:
///  - "model", "classes", "threshold", "confusion", "images_train", "images_test", "seconds"
///  - "stages": [{"name", "accuracy", "prototypes", "mean_pairwise_distance", "distinct_patches",
///    "score", "threshold", "tpr_test",
///    "ood": {NAME: {"fpr95", "auroc", "msp_auroc", "passed_at_threshold"}}}]
///  - "prototypes": [{"prototype", "class_id", "prior", "image", "row", "col", "box"}]
nlohmann::json results_json(const TrainingResults & results);

/// [{"patch", "heat"}] JPEG in base64, null for a prototype without source.
nlohmann::json pictures_json(const TrainingResults & results);

/// results.json: all of both, and "log_density": {"test", "calibration", "ood": {NAME: [..]}}, the same
/// of "joint" scores where they decide.
void write_results(const std::string & run_directory, const TrainingResults & results);

/// Manifest::training with the stages added.
std::string with_stages(const std::string & training, const std::vector<ModelResult> & stages);

}  // namespace mgproto

#endif  // TRAINING__REPORT__RESULTS_JSON_HPP_
