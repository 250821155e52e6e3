// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__WHITENED_START_HPP_
#define TRAINING__RUN__WHITENED_START_HPP_

#include "datasets/dataset.hpp"
#include "model/network.hpp"
#include "model/whitening.hpp"
#include "training/config.hpp"
#include "training/run/train.hpp"

namespace mgproto
{

/// Gives add-on and head what can be had without gradients: whitened directions from one pass over
/// the training images and their changed views (AddOnConfig), and prototypes from the images themselves,
/// which takes a second pass if their maps do not fit into ScheduleConfig::frozen_cache_megabytes.
Whitening start_whitened(
  Network & network, const TrainingConfig & config, const Dataset & train,
  const TrainingObserver & observer);

}  // namespace mgproto

#endif  // TRAINING__RUN__WHITENED_START_HPP_
