// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__FIT_HPP_
#define TRAINING__RUN__FIT_HPP_

#include <atomic>
#include <string>
#include <vector>

#include "training/config.hpp"
#include "training/run/train.hpp"

namespace mgproto
{

/// The closed form's config for a backbone: its architecture and preprocessing, changed by `overrides`
/// as read_training_config() takes them. Throws FileError or ConfigError.
TrainingConfig fit_config(
  const std::string & backbone, const std::string & data,
  const std::vector<std::string> & overrides);

/// A model without gradients: whitened add-on and prototypes, then what follows every training
/// (projection, pruning, calibration, measurements). Leaves the same files.
TrainingEnd fit(
  const TrainingConfig & config, const std::string & run_directory,
  const TrainingObserver & observer, const std::atomic<bool> & stop);

/// What a training from given weights (`network.init`) has to beat: the same data in closed form, in
/// `run_directory`/fit, which the training's report shows. Where that cannot be had a line says why,
/// and the training goes on.
void fit_baseline(
  const TrainingConfig & config, const std::string & run_directory,
  const TrainingObserver & observer, const std::atomic<bool> & stop);

}  // namespace mgproto

#endif  // TRAINING__RUN__FIT_HPP_
