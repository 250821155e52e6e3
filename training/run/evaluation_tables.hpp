// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__EVALUATION_TABLES_HPP_
#define TRAINING__RUN__EVALUATION_TABLES_HPP_

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "mgproto_ros/manifest.hpp"
#include "training/evaluate/interpret/interpretability.hpp"
#include "training/evaluate/interpret/part_references.hpp"
#include "training/evaluate/ood/image_outputs.hpp"
#include "training/evaluate/ood/named_scores.hpp"

namespace mgproto
{

// The parts of evaluate_checkpoint()'s result, from what a network gave for images.

/// "count" to "selective".
nlohmann::ordered_json recognition_table(
  const ImageOutputs & images, const Manifest & manifest, bool has_density);

/// One entry of "ood".
nlohmann::ordered_json rejection_table(
  const std::vector<NamedScore> & scores, const ImageOutputs & known,
  const ImageOutputs & strangers, const std::optional<Calibration> & calibration);

/// "pruning", from the similarities already seen: pruning takes prototypes away and changes none.
nlohmann::ordered_json pruning_table(
  Network & network, const std::vector<int> & keep, const ImageOutputs & images,
  const std::optional<ImageOutputs> & training,
  const std::map<std::string, ImageOutputs> & strangers);

/// "interpretability".
nlohmann::ordered_json interpretability_table(
  const Interpretability & found, const std::optional<PurityScore> & purity_train);

/// What to judge consistency and purity by, for the same object; empty if it was not measured.
nlohmann::ordered_json part_reference_table(const PartReferences & found);

}  // namespace mgproto

#endif  // TRAINING__RUN__EVALUATION_TABLES_HPP_
