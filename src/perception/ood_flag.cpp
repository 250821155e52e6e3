// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/ood_flag.hpp"

#include <algorithm>

#include "model/reason_text.hpp"

namespace mgproto::perception
{
void set_flag(RegionPrediction & region, const Manifest & manifest)
{
  region.reason = reason_text(region.prediction, manifest);
  region.unknown = region.prediction.verdict != Verdict::known;
  region.unknown_reason = region.reason;
}

void Hysteresis::apply(RegionPrediction & region, int enter, int leave)
{
  const Reason reason = region.prediction.reason;
  if (reason == Reason::not_finite || reason == Reason::uncalibrated) {
    unknown_ = true;
    against_ = 0;
    return;
  }
  const bool unknown_now = region.unknown;
  against_ = unknown_now == unknown_ ? 0 : against_ + 1;
  const int needed = std::max(1, unknown_ ? leave : enter);
  if (against_ >= needed) {
    unknown_ = unknown_now;
    against_ = 0;
  }
  region.unknown = unknown_;
  if (!unknown_) {
    region.unknown_reason.clear();
  } else if (!unknown_now) {
    region.unknown_reason = "only " + std::to_string(against_) + " of " + std::to_string(needed) +
                            " known images in a row so far";
  }
}

}  // namespace mgproto::perception
