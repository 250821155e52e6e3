// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/decision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "model/quantile.hpp"

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
  prediction.typicality.reset();
  if (finite && calibration) {
    prediction.typicality = typicality(*calibration, prediction.log_density);
  }

  prediction.reason = !finite                                          ? Reason::not_finite
                      : !calibration                                   ? Reason::uncalibrated
                      : prediction.log_density >= prediction.threshold ? Reason::none
                                                                       : Reason::below_threshold;
  prediction.verdict = verdict_for(prediction.reason);
}

double threshold_for(const Calibration & calibration, double tpr)
{
  if (!(tpr > 0) || calibration.quantiles.size() < 2) {
    return calibration.threshold;
  }
  return quantile_of_sorted(calibration.quantiles, 1 - std::min(tpr, 1.0));
}

float typicality(const Calibration & calibration, double log_density)
{
  return static_cast<float>(share_below(calibration.quantiles, log_density));
}

}  // namespace mgproto
