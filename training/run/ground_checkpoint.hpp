// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__GROUND_CHECKPOINT_HPP_
#define TRAINING__RUN__GROUND_CHECKPOINT_HPP_

#include <string>

#include "training/ground/pruning_method.hpp"
#include "training/run/model_data.hpp"

namespace mgproto
{

struct CalibrationOption
{
  ImagesOption images;  ///< no path: the result is not calibrated
  double tpr = 0.95;
  Criterion criterion = Criterion::joint;  ///< of a model that has the choice
};

// Each reads the checkpoint `model`, writes the result to `output` and returns its manifest. They
// change p(x), or redo its threshold, so an old calibration is dropped. Throw Error.

/// Every prototype onto a patch of the training images `images`.
Manifest project_checkpoint(
  const std::string & model, const std::string & output, const ImagesOption & images,
  bool distinct_images, const CalibrationOption & calibration, const StepProgress & progress);

struct PruningOption
{
  PruningMethod method = PruningMethod::importance;
  int keep = 5;         ///< prototypes a class; not for purity
  ImagesOption images;  ///< training images, for purity and merge
  bool renormalize = false;
};

Manifest prune_checkpoint(
  const std::string & model, const std::string & output, const PruningOption & option,
  const CalibrationOption & calibration, const StepProgress & progress);

/// The calibration, before it the concentration if it is not 0, and familiarity with the training images
/// `familiar` if they are given.
Manifest calibrate_checkpoint(
  const std::string & model, const std::string & output, double concentration,
  const ImagesOption & familiar, const CalibrationOption & calibration,
  const StepProgress & progress);

}  // namespace mgproto

#endif  // TRAINING__RUN__GROUND_CHECKPOINT_HPP_
