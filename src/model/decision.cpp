// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/decision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "model/conformal.hpp"
#include "model/joint_score.hpp"
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

/// What a share `rate` of known images reaches; NaN if there are too few to promise that.
double quantile_to_reach(const std::vector<double> & ascending, double rate)
{
  const auto images = static_cast<std::int64_t>(ascending.size());
  const std::int64_t rank = conformal_rank(images, std::min(rate, 1.0));
  return rank > 0 ? ascending[std::min(rank, images) - 1]
                  : std::numeric_limits<double>::quiet_NaN();
}

/// Of what each question adds: the distance where it would do alone, because what is far from everything
/// has no place among the classes, else the lowest.
Question weakest_of(const Answers & terms, double threshold)
{
  return terms[static_cast<std::size_t>(Question::distance)] < threshold
           ? Question::distance
           : static_cast<Question>(std::min_element(terms.begin(), terms.end()) - terms.begin());
}

/// Every question for itself, and their joint score.
void ask_all(Prediction & prediction, const Calibration & calibration, double tpr)
{
  const JointScore joint(calibration.answers);
  prediction.score = joint(prediction.answers);
  prediction.weakest = weakest_of(joint.terms(prediction.answers), prediction.threshold);
  for (std::size_t q = 0; q < kQuestions; ++q) {
    const std::vector<double> & ascending = calibration.by_question[q];
    prediction.p_values[q] = conformal_p_value(ascending, prediction.answers[q]);
    prediction.limits[q] = quantile_to_reach(ascending, tpr > 0 ? tpr : calibration.tpr);
  }
}

}  // namespace

Criterion criterion_of(const Calibration & calibration, const std::optional<Criterion> & wanted)
{
  return calibration.joint.empty() ? Criterion::log_density
                                   : wanted.value_or(calibration.criterion);
}

const std::vector<double> & scores_of(const Calibration & calibration, Criterion criterion)
{
  return criterion == Criterion::joint ? calibration.joint : calibration.log_density;
}

void decide(
  Prediction & prediction, const std::optional<Calibration> & calibration,
  const DecisionRequest & request)
{
  const bool finite = is_finite(prediction);
  prediction.ranking = finite ? by_falling_posterior(prediction.posterior) : std::vector<int>();
  prediction.class_id = finite ? prediction.ranking.front() : -1;
  prediction.answers[static_cast<std::size_t>(Question::density)] = prediction.log_density;
  prediction.criterion =
    calibration ? criterion_of(*calibration, request.criterion) : Criterion::log_density;
  prediction.threshold =
    calibration ? threshold_for(*calibration, request) : std::numeric_limits<double>::quiet_NaN();
  prediction.score = prediction.log_density;
  if (finite && prediction.criterion == Criterion::joint) {
    ask_all(prediction, *calibration, request.tpr);
  }

  const bool calibrated = !std::isnan(prediction.threshold);
  prediction.typicality.reset();
  if (finite && calibrated) {
    prediction.typicality = static_cast<float>(
      conformal_p_value(scores_of(*calibration, prediction.criterion), prediction.score));
  }

  prediction.reason = !finite || !std::isfinite(prediction.score) ? Reason::not_finite
                      : !calibrated                               ? Reason::uncalibrated
                      : prediction.score >= prediction.threshold  ? Reason::none
                                                                  : Reason::below_threshold;
  prediction.verdict = verdict_for(prediction.reason);
}

double threshold_for(const Calibration & calibration, const DecisionRequest & request)
{
  return quantile_to_reach(
    scores_of(calibration, criterion_of(calibration, request.criterion)),
    request.tpr > 0 ? request.tpr : calibration.tpr);
}

std::string calibration_problem(const Manifest & manifest, double tpr)
{
  if (!manifest.calibration) {
    return "the model is not calibrated" +
           (manifest.calibration_defect.empty() ? "" : ": " + manifest.calibration_defect);
  }
  if (std::isnan(threshold_for(*manifest.calibration, {tpr, {}}))) {
    return "the model was calibrated on " +
           std::to_string(manifest.calibration->log_density.size()) +
           " images, too few to promise a tpr of " + general(tpr, 6) +
           (tpr < 1 ? ", which needs " + std::to_string(images_needed(tpr)) : "");
  }
  return "";
}

}  // namespace mgproto
