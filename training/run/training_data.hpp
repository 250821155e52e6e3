// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__TRAINING_DATA_HPP_
#define TRAINING__RUN__TRAINING_DATA_HPP_

#include <map>
#include <string>

#include "datasets/dataset.hpp"
#include "datasets/loader.hpp"
#include "training/config.hpp"

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

/// Of data without splits every fifth image of a class is for testing. Throws FileError if a set
/// cannot be read, and Error if there are too few images to calibrate on.
TrainingData open_training_data(const TrainingConfig & config);

/// How images are read to learn from, and to measure on.
LoaderConfig training_loader(const TrainingConfig & config);
LoaderConfig evaluation_loader(const TrainingConfig & config);

}  // namespace mgproto

#endif  // TRAINING__RUN__TRAINING_DATA_HPP_
