// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__DECISION_HPP_
#define MODEL__DECISION_HPP_

#include <optional>

#include "mgproto_ros/manifest.hpp"
#include "mgproto_ros/recognition.hpp"

namespace mgproto
{

/// Fills class, verdict and typicality from the densities. Nothing is ever guessed: a value that is
/// not finite gives class -1 and `unknown`, a model without calibration gives `uncalibrated`.
void decide(Recognition & recognition, const std::optional<Calibration> & calibration);

/// Share of calibration images with a lower log p(x), interpolated between the quantiles.
float typicality(const Calibration & calibration, double log_density);

}  // namespace mgproto

#endif  // MODEL__DECISION_HPP_
