// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__OOD_FLAG_HPP_
#define PERCEPTION__OOD_FLAG_HPP_

#include "perception/frame_prediction.hpp"

namespace mgproto::perception
{

/// The flag by this frame alone, and the reasons in words.
void set_flag(RegionPrediction & region, const Manifest & manifest);

/// The verdict on one camera's images over time, so that a flag does not flicker. Unknown until
/// enough frames in a row are known.
class Hysteresis
{
public:
  /// Takes in what set_flag() left, and puts the flag over time in its place. Known frames turn to
  /// unknown after `enter` unknown ones in a row, and back after `leave` known ones. A density that
  /// is not finite, and a model without calibration, are unknown at once.
  void apply(RegionPrediction & region, int enter, int leave);

private:
  bool unknown_ = true;
  int against_ = 0;  // frames in a row that say otherwise
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__OOD_FLAG_HPP_
