// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__DECISION_HPP_
#define MODEL__DECISION_HPP_

#include <optional>

#include "mgproto_ros/manifest.hpp"
#include "mgproto_ros/prediction.hpp"

namespace mgproto
{

/// The one place that decides: fills ranking, class, verdict, reason, threshold and typicality from
/// the densities. Nothing is ever guessed: a value that is not finite gives class -1 and `unknown`, a
/// model without calibration gives `uncalibrated`. For `tpr` see threshold_for().
void decide(
  Prediction & prediction, const std::optional<Calibration> & calibration, double tpr = 0);

/// log p(x) below it means unknown. With `tpr` 0 it is the checkpoint's own; otherwise the value
/// that this share of the calibration images reaches, interpolated between the quantiles.
double threshold_for(const Calibration & calibration, double tpr);

/// Share of calibration images with a lower log p(x), interpolated between the quantiles.
float typicality(const Calibration & calibration, double log_density);

}  // namespace mgproto

#endif  // MODEL__DECISION_HPP_
