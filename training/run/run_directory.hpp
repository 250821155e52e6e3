// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__RUN_DIRECTORY_HPP_
#define TRAINING__RUN__RUN_DIRECTORY_HPP_

#include <memory>
#include <string>

#include "datasets/dataset.hpp"
#include "training/config.hpp"
#include "training/learn/memory_bank.hpp"

namespace mgproto
{

/// Where a training stands.
struct Position
{
  std::int64_t epoch = 0;
  std::int64_t batch = 0;          ///< to go on at
  std::int64_t images = 0;         ///< seen in this epoch
  double right = 0;                ///< of them
  double seconds = 0;              ///< that the whole run has taken
  double epoch_begin = 0;          ///< the seconds when this epoch began
  std::int64_t metrics_bytes = 0;  ///< length of metrics.jsonl
};

/// All that a training needs to go on as if nothing had happened. Random numbers are keyed by seed,
/// epoch and image, so the position in the data is their whole state.
struct Snapshot
{
  Position position;
  State state;  ///< of the Trainer
};

/// While it is held no other process works in the directory. A process that dies holds nothing.
using RunLock = std::shared_ptr<const int>;

/// Throws FileError if another process holds it.
RunLock lock_run_directory(const std::string & directory);

/// A directory to begin in: a new one, an empty one, or that of a run that died before anything in it was
/// worth keeping. Throws FileError for any other one.
RunLock make_run_directory(const std::string & directory);

/// Every setting as it is used from now on, as config.yaml.
void write_config(const std::string & directory, const TrainingConfig & config);

/// The images that are kept for calibration, as calibration.csv: a list to calibrate on again. None for
/// images that are only a part of their file.
void write_calibration_list(const std::string & directory, const Dataset & calibration);

/// snapshot.safetensors. Atomic: a kill at any moment leaves the old one or the new one.
void write_snapshot(const std::string & directory, const Snapshot & snapshot);

/// Throws FileError.
Snapshot read_snapshot(const std::string & directory);

}  // namespace mgproto

#endif  // TRAINING__RUN__RUN_DIRECTORY_HPP_
