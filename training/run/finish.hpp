// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__FINISH_HPP_
#define TRAINING__RUN__FINISH_HPP_

#include <map>
#include <memory>
#include <string>

#include "mgproto_ros/manifest.hpp"
#include "model/network.hpp"
#include "training/config.hpp"
#include "training/data/dataset.hpp"
#include "training/data/loader.hpp"
#include "training/ground/projection.hpp"
#include "training/run/train.hpp"

namespace mgproto
{

/// The images of a training.
struct TrainingData
{
  Dataset train;
  Dataset test;
  Dataset calibration;
  std::map<std::string, Dataset> ood;
};

/// How images that are only measured on are read.
LoaderConfig evaluation_loader(const TrainingConfig & config);

/// Puts every prototype on a training patch; ProtoPNet then fits its last layer.
Projection project_hard(
  const TrainingConfig & config, Network & network, const Dataset & train,
  const TrainingObserver & observer);

/// What follows the last epoch: the trained model is evaluated and projected; it, what it is
/// concentrated to and pruned to for each row of the table are evaluated in one pass; the chosen one
/// is calibrated and saved as final.safetensors, all numbers go into results.json. Of a baseline, what
/// it has.
void finish_training(
  const TrainingConfig & config, const std::string & run_directory,
  const std::shared_ptr<Network> & network, const Manifest & manifest, const TrainingData & data,
  const TrainingObserver & observer, double seconds_before);

}  // namespace mgproto

#endif  // TRAINING__RUN__FINISH_HPP_
