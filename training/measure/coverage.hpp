// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__COVERAGE_HPP_
#define TRAINING__MEASURE__COVERAGE_HPP_

#include <vector>

#include "mgproto_ros/manifest.hpp"
#include "training/measure/results.hpp"

namespace mgproto
{

/// Whether a calibration keeps its promise: images of the known classes are split at random 200 times,
/// always the same way, into as many to calibrate on as the model has, or half of them if that is fewer,
/// and the rest to accept by it. None if there are too few to calibrate on. `answers` as of answers_of();
/// of a model that asks nothing but log p(x) only its values count.
std::optional<Coverage> coverage_over_splits(
  const std::vector<Answers> & answers, const Calibration & calibration);

}  // namespace mgproto

#endif  // TRAINING__MEASURE__COVERAGE_HPP_
