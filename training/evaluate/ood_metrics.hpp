// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__OOD_METRICS_HPP_
#define TRAINING__EVALUATE__OOD_METRICS_HPP_

#include <vector>

namespace mgproto
{

// In-distribution images are the positive ones, and a higher score means in-distribution.

/// Linear interpolation between the two nearest ranks, as numpy's quantile; `share` within 0 to 1.
/// `values` must not be empty.
double quantile(std::vector<double> values, double share);

/// Probability that an in-distribution score is above an OoD one; ties count half.
double auroc(const std::vector<double> & in, const std::vector<double> & out);

/// Share of OoD images at or above the 5th percentile of the in-distribution scores.
double fpr95(const std::vector<double> & in, const std::vector<double> & out);

/// Share of scores at or above the threshold.
double share_at_or_above(const std::vector<double> & scores, double threshold);

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__OOD_METRICS_HPP_
