// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__OOD_FLAG_HPP_
#define PERCEPTION__OOD_FLAG_HPP_

#include <string>

#include "perception/frame_prediction.hpp"
#include "perception/settings.hpp"
#include "perception/statistics.hpp"

namespace mgproto::perception
{

/// The flag by this frame alone, and the reasons in words.
void set_flag(RegionPrediction & region, const Manifest & manifest);
/// Unknown, because of the region's problem.
void set_no_answer(RegionPrediction & region);

/// When a picture was taken.
struct PictureTime
{
  Stamp stamp;
  Clock::time_point received;
};

/// By the stamps; by arrival if one of them is zero or they go back, as those of a recording that
/// starts again do.
double seconds_between(const PictureTime & earlier, const PictureTime & later);

/// The verdict on one camera's images over time, so that a flag does not flicker. Unknown until
/// images have been known for long enough.
class Hysteresis
{
public:
  /// Takes in what set_flag() left, and puts the flag over time in its place. It changes once so many
  /// frames in a row (ood.enter, ood.leave) over so many seconds (ood.enter_seconds,
  /// ood.leave_seconds) say otherwise. A density that is not finite, and a model without calibration,
  /// are unknown at once.
  void apply(RegionPrediction & region, const PictureTime & taken, const Settings & settings);

private:
  /// What it takes to change the flag.
  struct Needed
  {
    int frames;
    double seconds;
  };
  /// How far that is, in words.
  std::string progress(const Needed & needed, double seconds) const;

  bool unknown_ = true;
  int against_ = 0;    // frames in a row that say otherwise
  PictureTime since_;  // the first of them
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__OOD_FLAG_HPP_
