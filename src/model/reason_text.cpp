// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/reason_text.hpp"

#include <algorithm>

#include "model/number_text.hpp"

namespace mgproto
{
namespace
{

std::size_t index_of(Question question) { return static_cast<std::size_t>(question); }

constexpr int kSignificant = 4;

std::string below_threshold(const std::string & name, double value, double threshold)
{
  const auto [first, second] = told_apart(value, threshold, kSignificant, general);
  return name + " " + first + " is below the threshold " + second;
}

std::string parts_text(const Prediction & prediction, const Manifest & manifest)
{
  const std::string & name = manifest.classes[prediction.class_id];
  if (prediction.missing.empty()) {
    return "the parts of " + name + " fit less well than usual";
  }
  const auto parts = std::count(
    manifest.prototype_class.begin(), manifest.prototype_class.end(), prediction.class_id);
  return std::to_string(prediction.missing.size()) + " of " + std::to_string(parts) + " parts of " +
         name + " not found";
}

std::string place_text(const Prediction & prediction, const Manifest & manifest)
{
  const std::string & first = manifest.classes[prediction.ranking[0]];
  return prediction.ranking.size() > 1
           ? "between " + first + " and " + manifest.classes[prediction.ranking[1]]
           : "hardly like " + first;
}

std::string what_the_weakest_saw(const Prediction & prediction, const Manifest & manifest)
{
  const std::size_t weakest = index_of(prediction.weakest);
  switch (prediction.weakest) {
    case Question::density:
      break;
    case Question::parts:
      return parts_text(prediction, manifest);
    case Question::place:
      return place_text(prediction, manifest);
    case Question::distance:
      return "unlike anything in training (distance " +
             fixed(prediction.answers[weakest] / prediction.limits[weakest], 1) + " x the limit)";
  }
  const auto [density, limit] =
    told_apart(prediction.log_density, prediction.limits[weakest], kSignificant, general);
  return "fits no class (log p(x) " + density + ", its limit " + limit + ")";
}

}  // namespace

const char * score_name(Criterion criterion)
{
  return criterion == Criterion::joint ? "score" : "log p(x)";
}

std::string reason_text(const Prediction & prediction, const Manifest & manifest)
{
  switch (prediction.reason) {
    case Reason::none:
      break;
    case Reason::not_finite:
      return "the density is not finite";
    case Reason::uncalibrated:
      return "the model is not calibrated for this";
    case Reason::below_threshold: {
      const std::string what = prediction.criterion == Criterion::joint
                                 ? what_the_weakest_saw(prediction, manifest) + "; "
                                 : "";
      return what + below_threshold(
                      score_name(prediction.criterion), prediction.score, prediction.threshold);
    }
  }
  return "";
}

std::string short_reason_text(const Prediction & prediction, const Manifest & manifest)
{
  return prediction.reason == Reason::below_threshold && prediction.criterion == Criterion::joint
           ? what_the_weakest_saw(prediction, manifest)
           : reason_text(prediction, manifest);
}

}  // namespace mgproto
