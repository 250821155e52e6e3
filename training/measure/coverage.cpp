// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/coverage.hpp"

#include <algorithm>
#include <numeric>

#include "model/conformal.hpp"
#include "model/decision.hpp"
#include "model/joint_score.hpp"
#include "model/random.hpp"
#include "training/ground/calibration.hpp"

namespace mgproto
{
namespace
{

constexpr int kSplits = 200;

/// Share of `others` that a calibration on `some` accepts.
double accepted(
  const std::vector<Answers> & some, const std::vector<Answers> & others, double tpr,
  Criterion criterion)
{
  std::vector<double> scores;
  double threshold;
  if (criterion == Criterion::joint) {
    threshold = threshold_for(calibrate(some, tpr, criterion));
    std::transform(others.begin(), others.end(), std::back_inserter(scores), JointScore(some));
  } else {
    threshold = threshold_for(calibrate(log_densities(some), tpr));
    scores = log_densities(others);
  }
  return share_at_or_above(scores, threshold);
}

}  // namespace

std::optional<Coverage> coverage_over_splits(
  const std::vector<Answers> & answers, const Calibration & calibration)
{
  const auto images = static_cast<std::int64_t>(answers.size());
  Coverage coverage;
  coverage.asked = calibration.tpr;
  coverage.calibrated_on =
    std::min(static_cast<std::int64_t>(calibration.log_density.size()), images / 2);
  if (coverage.calibrated_on < images_needed(calibration.tpr)) {
    return std::nullopt;
  }
  std::vector<Answers> shuffled = answers;
  for (int split = 0; split < kSplits; ++split) {
    Random random{static_cast<std::uint64_t>(split)};
    for (std::int64_t i = 0; i < coverage.calibrated_on; ++i) {  // as far as it is needed
      std::swap(shuffled[i], shuffled[i + random.index(static_cast<int>(images - i))]);
    }
    const auto middle = shuffled.begin() + coverage.calibrated_on;
    coverage.accepted.push_back(accepted(
      {shuffled.begin(), middle}, {middle, shuffled.end()}, calibration.tpr,
      criterion_of(calibration)));
  }
  std::sort(coverage.accepted.begin(), coverage.accepted.end());
  coverage.mean =
    std::accumulate(coverage.accepted.begin(), coverage.accepted.end(), 0.0) / kSplits;
  return coverage;
}

}  // namespace mgproto
