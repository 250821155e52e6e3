// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/decision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "model/conformal.hpp"
#include "model/number_text.hpp"

namespace mgproto
{
namespace
{

bool is_finite(const Prediction & prediction)
{
  return std::isfinite(prediction.log_density) && !prediction.posterior.empty() &&
         std::all_of(prediction.posterior.begin(), prediction.posterior.end(), [](float value) {
           return std::isfinite(value);
         });
}

std::vector<int> by_falling_posterior(const std::vector<float> & posterior)
{
  std::vector<int> classes(posterior.size());
  std::iota(classes.begin(), classes.end(), 0);
  std::sort(classes.begin(), classes.end(), [&](int a, int b) {
    return posterior[a] != posterior[b] ? posterior[a] > posterior[b] : a < b;
  });
  return classes;
}

Verdict verdict_for(Reason reason)
{
  switch (reason) {
    case Reason::none:
      return Verdict::known;
    case Reason::uncalibrated:
      return Verdict::uncalibrated;
    case Reason::not_finite:
    case Reason::below_threshold:
      break;
  }
  return Verdict::unknown;
}

}  // namespace

void decide(Prediction & prediction, const std::optional<Calibration> & calibration, double tpr)
{
  const bool finite = is_finite(prediction);
  prediction.ranking = finite ? by_falling_posterior(prediction.posterior) : std::vector<int>();
  prediction.class_id = finite ? prediction.ranking.front() : -1;

  prediction.threshold =
    calibration ? threshold_for(*calibration, tpr) : std::numeric_limits<double>::quiet_NaN();
  const bool calibrated = !std::isnan(prediction.threshold);
  prediction.typicality.reset();
  if (finite && calibrated) {
    prediction.typicality =
      static_cast<float>(conformal_p_value(calibration->log_density, prediction.log_density));
  }

  prediction.reason = !finite                                          ? Reason::not_finite
                      : !calibrated                                    ? Reason::uncalibrated
                      : prediction.log_density >= prediction.threshold ? Reason::none
                                                                       : Reason::below_threshold;
  prediction.verdict = verdict_for(prediction.reason);
}

double threshold_for(const Calibration & calibration, double tpr)
{
  const auto images = static_cast<std::int64_t>(calibration.log_density.size());
  const std::int64_t rank = conformal_rank(images, tpr > 0 ? std::min(tpr, 1.0) : calibration.tpr);
  return rank > 0 ? calibration.log_density[std::min(rank, images) - 1]
                  : std::numeric_limits<double>::quiet_NaN();
}

std::string calibration_problem(const Manifest & manifest, double tpr)
{
  if (!manifest.calibration) {
    return "the model is not calibrated" +
           (manifest.calibration_defect.empty() ? "" : ": " + manifest.calibration_defect);
  }
  if (std::isnan(threshold_for(*manifest.calibration, tpr))) {
    return "the model was calibrated on " +
           std::to_string(manifest.calibration->log_density.size()) +
           " images, too few to promise a tpr of " + general(tpr, 6) +
           (tpr < 1 ? ", which needs " + std::to_string(images_needed(tpr)) : "");
  }
  return "";
}

}  // namespace mgproto
