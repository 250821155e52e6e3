// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__CONSOLE_TEXT_HPP_
#define TRAINING__RUN__CONSOLE_TEXT_HPP_

#include <string>

#include "model/number_text.hpp"
#include "training/run/metrics.hpp"
#include "training/run/training_data.hpp"

namespace mgproto
{

inline std::string console_text(const TrainingData & data)
{
  return std::to_string(data.train.size()) + " training, " + std::to_string(data.test.size()) +
         " test, " + std::to_string(data.calibration.size()) + " calibration images of " +
         std::to_string(data.train.classes.size()) + " classes";
}

inline std::string console_text(const StepReport & step)
{
  return "ce " + fixed(step.ce, 3) + "  mine " + fixed(step.mining, 3) + "  aux " +
         fixed(step.aux, 3) + "  acc " + fixed(step.accuracy, 2) + "  " +
         fixed(step.images_per_second(), 0) + " img/s";
}

inline std::string console_text(const EpochReport & report)
{
  std::string line =
    "epoch " + std::to_string(report.epoch + 1) + ": train " + percent(report.train_accuracy);
  if (report.test_accuracy) {
    line += ", test " + percent(*report.test_accuracy);
  }
  if (report.health) {
    line += ", pairwise distance " + fixed(report.health->mean_pairwise_distance, 3) +
            ", distinct " + fixed(report.health->distinct_nearest_features, 1) +
            ", largest responsibility " + fixed(report.health->mean_largest_responsibility, 2);
  }
  return line;
}

}  // namespace mgproto

#endif  // TRAINING__RUN__CONSOLE_TEXT_HPP_
