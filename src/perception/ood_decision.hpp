// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__OOD_DECISION_HPP_
#define PERCEPTION__OOD_DECISION_HPP_

#include <optional>

#include "mgproto_ros/manifest.hpp"
#include "perception/answer.hpp"

namespace mgproto::perception
{

/// log p(x) below it means unknown. With `tpr` 0 it is the checkpoint's own; otherwise the value
/// that this share of the calibration images reaches, interpolated between the quantiles.
double threshold_for(const Calibration & calibration, double tpr);

/// Decides by this frame alone: fills verdict, threshold, reason and the flag. The recognition must
/// hold what the model's own decision left in it; typicality stays as it is.
void decide(RegionAnswer & answer, const std::optional<Calibration> & calibration, double tpr);

/// The verdict on one camera's images over time, so that a flag does not flicker. Unknown until
/// enough frames in a row are known.
class Hysteresis
{
public:
  /// Takes a frame's own decision in, and puts the flag over time into the answer. Known frames
  /// turn to unknown after `enter` unknown ones in a row, and back after `leave` known ones. A
  /// density that is not finite, and a model without calibration, are unknown at once.
  void apply(RegionAnswer & answer, int enter, int leave);

private:
  bool unknown_ = true;
  int against_ = 0;  // frames in a row that say otherwise
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__OOD_DECISION_HPP_
