// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__FINISH_HPP_
#define TRAINING__RUN__FINISH_HPP_

#include <memory>
#include <string>

#include "mgproto_ros/manifest.hpp"
#include "model/network.hpp"
#include "training/config.hpp"
#include "training/ground/projection.hpp"
#include "training/measure/results.hpp"
#include "training/run/train.hpp"
#include "training/run/training_data.hpp"

namespace mgproto
{

/// Puts every prototype on a training patch; ProtoPNet then fits its last layer.
Projection project_hard(
  const TrainingConfig & config, Network & network, const Dataset & train,
  const TrainingObserver & observer);

/// What follows the last epoch: the trained model is projected; it, what it is concentrated to and
/// pruned to for each row of the table are measured in one pass; the chosen one is calibrated and
/// saved as final.safetensors, all numbers go into results.json. Of a baseline, what it has.
TrainingResults finish_training(
  const TrainingConfig & config, const std::string & run_directory,
  const std::shared_ptr<Network> & network, const Manifest & manifest, const TrainingData & data,
  const TrainingObserver & observer, double seconds_before);

}  // namespace mgproto

#endif  // TRAINING__RUN__FINISH_HPP_
