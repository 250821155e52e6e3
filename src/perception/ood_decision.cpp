// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/ood_decision.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

namespace mgproto::perception
{
namespace
{

std::string printed(double value, int digits)
{
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer), "%.*g", digits, value);
  return buffer;
}

/// With as many digits as it takes to see that one is below the other.
std::string below_threshold(double log_density, double threshold)
{
  constexpr int kFewest = 4;
  constexpr int kMost = 17;
  int digits = kFewest;
  while (digits < kMost && printed(log_density, digits) == printed(threshold, digits)) {
    ++digits;
  }
  return "log p(x) " + printed(log_density, digits) + " is below the threshold " +
         printed(threshold, digits);
}

bool no_density(const Recognition & recognition)
{
  return recognition.class_id < 0 || !std::isfinite(recognition.log_density);
}

}  // namespace

double threshold_for(const Calibration & calibration, double tpr)
{
  const auto & quantiles = calibration.quantiles;
  if (!(tpr > 0) || quantiles.size() < 2) {
    return calibration.threshold;
  }
  const double rank = (1 - std::min(tpr, 1.0)) * static_cast<double>(quantiles.size() - 1);
  const std::size_t low = std::min(static_cast<std::size_t>(rank), quantiles.size() - 2);
  const double part = rank - static_cast<double>(low);
  return quantiles[low] + part * (quantiles[low + 1] - quantiles[low]);
}

void decide(RegionAnswer & answer, const std::optional<Calibration> & calibration, double tpr)
{
  Recognition & recognition = answer.recognition;
  answer.threshold =
    calibration ? threshold_for(*calibration, tpr) : std::numeric_limits<double>::quiet_NaN();
  answer.reason.clear();
  if (no_density(recognition)) {
    recognition.verdict = Verdict::unknown;
    answer.reason = "the density is not finite";
  } else if (!calibration) {
    recognition.verdict = Verdict::uncalibrated;
    answer.reason = "the model has no calibration";
  } else if (recognition.log_density >= answer.threshold) {
    recognition.verdict = Verdict::known;
  } else {
    recognition.verdict = Verdict::unknown;
    answer.reason = below_threshold(recognition.log_density, answer.threshold);
  }
  answer.unknown = recognition.verdict != Verdict::known;
  answer.unknown_reason = answer.reason;
}

void Hysteresis::apply(RegionAnswer & answer, int enter, int leave)
{
  const Recognition & recognition = answer.recognition;
  if (no_density(recognition) || recognition.verdict == Verdict::uncalibrated) {
    unknown_ = true;
    against_ = 0;
    return;
  }
  const bool unknown_now = recognition.verdict != Verdict::known;
  against_ = unknown_now == unknown_ ? 0 : against_ + 1;
  const int needed = std::max(1, unknown_ ? leave : enter);
  if (against_ >= needed) {
    unknown_ = unknown_now;
    against_ = 0;
  }
  answer.unknown = unknown_;
  if (!unknown_) {
    answer.unknown_reason.clear();
  } else if (!unknown_now) {
    answer.unknown_reason = "only " + std::to_string(against_) + " of " + std::to_string(needed) +
                            " known images in a row so far";
  }
}

}  // namespace mgproto::perception
