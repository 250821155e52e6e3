// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__OOD__PRECISION_RECALL_HPP_
#define TRAINING__EVALUATE__OOD__PRECISION_RECALL_HPP_

#include <vector>

namespace mgproto
{

// Area under the precision-recall curve as average precision: sum over thresholds of
// (R_n - R_{n-1}) P_n, equal scores one threshold. Throws Error if a side is empty.

/// In-distribution images are the positive ones.
double aupr_in(const std::vector<double> & in, const std::vector<double> & out);

/// OoD images are the positive ones, by their negated scores.
double aupr_out(const std::vector<double> & in, const std::vector<double> & out);

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__OOD__PRECISION_RECALL_HPP_
