// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__METRICS_HPP_
#define TRAINING__RUN__METRICS_HPP_

#include <fstream>
#include <optional>
#include <string>

#include "training/learn/method.hpp"

namespace mgproto
{

struct EpochReport
{
  std::int64_t epoch = 0;
  double train_accuracy = 0;  ///< mean over its batches, each before its update
  std::optional<double> test_accuracy;
  std::optional<MixtureHealth> health;
  LearningRates rates;
  double seconds = 0;
};

/// metrics.jsonl, written line by line.
class Metrics
{
public:
  /// Lines behind `bytes` were written after the snapshot that is resumed from, and go.
  Metrics(const std::string & path, std::int64_t bytes);

  /// `iteration` counts over all epochs.
  void write_step(std::int64_t epoch, std::int64_t iteration, const StepReport & step);
  void write_epoch(const EpochReport & report);
  /// Test accuracies around a projection while training.
  void write_projection(std::int64_t epoch, double before, double after);

  std::int64_t bytes() const;

private:
  std::string path_;
  std::ofstream file_;
};

}  // namespace mgproto

#endif  // TRAINING__RUN__METRICS_HPP_
