// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/decision.hpp"

#include <algorithm>
#include <cmath>

namespace mgproto
{

float typicality(const Calibration & calibration, double log_density)
{
  const auto & quantiles = calibration.quantiles;
  // The first quantile that is not lower: everything in front of it is.
  const auto upper = std::lower_bound(quantiles.begin(), quantiles.end(), log_density);
  if (upper == quantiles.begin()) {
    return 0;
  }
  if (upper == quantiles.end()) {
    return 1;
  }
  const double below = *(upper - 1);
  const double rank =
    static_cast<double>(upper - quantiles.begin()) - 1 + (log_density - below) / (*upper - below);
  return static_cast<float>(rank / static_cast<double>(quantiles.size() - 1));
}

void decide(Recognition & recognition, const std::optional<Calibration> & calibration)
{
  const auto finite = [](float value) { return std::isfinite(value); };
  if (
    !finite(recognition.log_density) ||
    !std::all_of(recognition.posterior.begin(), recognition.posterior.end(), finite)) {
    recognition.class_id = -1;
    recognition.verdict = Verdict::unknown;
    recognition.typicality.reset();
    return;
  }
  recognition.class_id = static_cast<int>(
    std::max_element(recognition.posterior.begin(), recognition.posterior.end()) -
    recognition.posterior.begin());
  if (!calibration) {
    recognition.verdict = Verdict::uncalibrated;
    return;
  }
  recognition.typicality = typicality(*calibration, recognition.log_density);
  recognition.verdict =
    recognition.log_density >= calibration->threshold ? Verdict::known : Verdict::unknown;
}

}  // namespace mgproto
