// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__RISK_COVERAGE_HPP_
#define TRAINING__EVALUATE__RISK_COVERAGE_HPP_

#include <vector>

namespace mgproto
{

// Selective classification: a model that answers only where its score is at or above a threshold.
// Images of equal score are answered together or not at all. Throws Error if there are no images or
// `score` and `right` differ in length.

struct RiskPoint
{
  double threshold, coverage, accuracy;  ///< of the answered images; coverage is their share
};

/// For `points` (2 or more) equally spaced coverages from 0 to 1 the fewest images with the highest
/// scores, at least one, that reach it; by rising coverage, each set of images once.
std::vector<RiskPoint> risk_coverage(
  const std::vector<double> & score, const std::vector<bool> & right, int points = 101);

/// Mean over the images of the risk, 1 - accuracy, with that image's score as the threshold; 0 is
/// best.
double area_under_risk_coverage(const std::vector<double> & score, const std::vector<bool> & right);

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__RISK_COVERAGE_HPP_
