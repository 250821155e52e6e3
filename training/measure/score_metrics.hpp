// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__SCORE_METRICS_HPP_
#define TRAINING__MEASURE__SCORE_METRICS_HPP_

#include <vector>

namespace mgproto
{

// In-distribution images are the positive ones, and a higher score means in-distribution.

/// Probability that an in-distribution score is above an OoD one; ties count half.
double auroc(const std::vector<double> & in, const std::vector<double> & out);

/// Share of OoD images at or above the 5th percentile of the in-distribution scores.
double fpr95(const std::vector<double> & in, const std::vector<double> & out);

/// Share of scores at or above the threshold.
double share_at_or_above(const std::vector<double> & scores, double threshold);

// Area under the precision-recall curve as average precision: sum over thresholds of
// (R_n - R_{n-1}) P_n, equal scores one threshold. Throws Error if a side is empty.

/// In-distribution images are the positive ones.
double aupr_in(const std::vector<double> & in, const std::vector<double> & out);

/// OoD images are the positive ones, by their negated scores.
double aupr_out(const std::vector<double> & in, const std::vector<double> & out);

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

#endif  // TRAINING__MEASURE__SCORE_METRICS_HPP_
