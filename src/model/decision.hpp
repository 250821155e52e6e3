// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__DECISION_HPP_
#define MODEL__DECISION_HPP_

#include <optional>
#include <string>

#include "mgproto_ros/manifest.hpp"
#include "mgproto_ros/prediction.hpp"
#include "mgproto_ros/recognizer.hpp"

namespace mgproto
{

/// The one place that decides: fills ranking, class, verdict, reason, threshold and typicality from
/// the densities and answers. Nothing is ever guessed: a value that is not finite gives class -1 and
/// `unknown`, a model without calibration, or with too little of it, gives `uncalibrated`. A joint score
/// asked of a model that has none is log p(x).
void decide(
  Prediction & prediction, const std::optional<Calibration> & calibration,
  const DecisionRequest & request = {});

/// What decides by this calibration, if `wanted` is asked for.
Criterion criterion_of(
  const Calibration & calibration, const std::optional<Criterion> & wanted = {});

/// The scores of the calibration images that decide, ascending.
const std::vector<double> & scores_of(const Calibration & calibration, Criterion criterion);

/// A score below it means unknown: the highest value that a known image reaches with a probability of
/// at least `tpr`, or with 0 the checkpoint's own. NaN if the calibration has too few images to
/// promise that: see conformal.hpp.
double threshold_for(const Calibration & calibration, const DecisionRequest & request = {});

/// Why a model cannot say what it knows, for a log; empty if it can.
std::string calibration_problem(const Manifest & manifest, double tpr = 0);

}  // namespace mgproto

#endif  // MODEL__DECISION_HPP_
