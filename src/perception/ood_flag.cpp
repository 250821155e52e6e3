// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/ood_flag.hpp"

#include <chrono>
#include <cstdint>
#include <limits>

#include "model/number_text.hpp"
#include "model/reason_text.hpp"

namespace mgproto::perception
{

void set_flag(RegionPrediction & region, const Manifest & manifest)
{
  region.reason = reason_text(region.prediction, manifest);
  region.unknown = region.prediction.verdict != Verdict::known;
  region.unknown_reason = region.reason;
}

void set_no_answer(RegionPrediction & region)
{
  Prediction & nothing = region.prediction;
  nothing.class_id = -1;
  nothing.log_density = std::numeric_limits<float>::quiet_NaN();
  nothing.score = std::numeric_limits<double>::quiet_NaN();
  nothing.verdict = Verdict::unknown;
  nothing.reason = Reason::not_finite;
  region.reason = region.problem;
  region.unknown = true;
  region.unknown_reason = region.problem;
}

double seconds_between(const PictureTime & earlier, const PictureTime & later)
{
  const std::int64_t from = earlier.stamp.nanoseconds();
  const std::int64_t to = later.stamp.nanoseconds();
  if (from == 0 || to == 0 || to < from) {
    return std::chrono::duration<double>(later.received - earlier.received).count();
  }
  return std::chrono::duration<double>(std::chrono::nanoseconds(to - from)).count();
}

void Hysteresis::apply(
  RegionPrediction & region, const PictureTime & taken, const Settings & settings)
{
  const Reason reason = region.prediction.reason;
  if (reason == Reason::not_finite || reason == Reason::uncalibrated) {
    unknown_ = true;
    against_ = 0;
    return;
  }
  const bool unknown_now = region.unknown;
  against_ = unknown_now == unknown_ ? 0 : against_ + 1;
  since_ = against_ <= 1 ? taken : since_;
  const Needed needed = unknown_ ? Needed{settings.ood_leave, settings.ood_leave_seconds}
                                 : Needed{settings.ood_enter, settings.ood_enter_seconds};
  const double seconds = seconds_between(since_, taken);
  if (against_ > 0 && against_ >= needed.frames && seconds >= needed.seconds) {
    unknown_ = unknown_now;
    against_ = 0;
  }
  region.unknown = unknown_;
  if (!unknown_) {
    region.unknown_reason.clear();
  } else if (!unknown_now) {
    region.unknown_reason = progress(needed, seconds);
  }
}

std::string Hysteresis::progress(const Needed & needed, double seconds) const
{
  if (against_ < needed.frames) {
    return "only " + std::to_string(against_) + " of " + std::to_string(needed.frames) +
           " known images in a row so far";
  }
  return "known for only " + fixed(seconds, 1) + " of " + fixed(needed.seconds, 1) + " s so far";
}

}  // namespace mgproto::perception
