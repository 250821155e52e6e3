// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__TRAIN_HPP_
#define TRAINING__RUN__TRAIN_HPP_

#include <atomic>
#include <functional>
#include <string>

#include "training/config.hpp"

namespace mgproto
{

/// What a training tells the person who watches it.
struct TrainingObserver
{
  /// How far the work named by `what` has come; `details` are losses and rates.
  std::function<void(
    const std::string & what, std::int64_t done, std::int64_t total, const std::string & details)>
    progress = [](const std::string &, std::int64_t, std::int64_t, const std::string &) {};
  /// Something worth a line of its own.
  std::function<void(const std::string & line)> say = [](const std::string &) {};
};

enum class TrainingBegin
{
  anew,
  resumed,
  resumed_with_other_images  ///< what has become of the images is said, not refused
};

enum class TrainingEnd
{
  finished,
  stopped
};

/// The whole of Algorithm 1 and what comes after it: training, projection, the pruning table,
/// calibration, evaluation before and after each, all into `run_directory`:
///   config.yaml, metrics.jsonl, snapshot.safetensors, latest.safetensors, final.safetensors,
///   results.json, report.html
/// Anew it refuses a directory with a training that has come to its first snapshot; resumed it goes on from the
/// snapshot with `config`, and refuses other images than those it began with. When `stop` becomes true it saves a
/// snapshot and returns. Throws Error.
TrainingEnd train(
  const TrainingConfig & config, const std::string & run_directory, TrainingBegin begin,
  const TrainingObserver & observer, const std::atomic<bool> & stop);

/// Does `work` with an observer that ends it, at the next sign of progress, once `stop` is set.
TrainingEnd until_stopped(
  const TrainingObserver & observer, const std::atomic<bool> & stop,
  const std::function<void(const TrainingObserver &)> & work);

}  // namespace mgproto

#endif  // TRAINING__RUN__TRAIN_HPP_
