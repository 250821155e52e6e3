// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BIRDS__BIRD_POSE_HPP_
#define BIRDS__BIRD_POSE_HPP_

#include <array>

#include "birds/painter.hpp"
#include "birds/species.hpp"

namespace mgproto::birds
{

/// How an individual is built, how it holds itself and where it stands in the picture. Head, wing
/// and tail have frames of their own inside the body's frame.
struct Pose
{
  /// Somewhere in the picture where all of the bird fits, if it fits at all.
  Pose(const Species & species, const Canvas & canvas, Random & random);

  Path place(const Path & path) const { return body.to_canvas(path); }
  Path place(const Frame & frame, const Path & path) const
  {
    return body.to_canvas(frame.to_canvas(path));
  }
  Point place(const Frame & frame, Point point) const
  {
    return body.to_canvas(frame.to_canvas(point));
  }

  /// In the order of PartName.
  std::array<Point, kPartCount> parts() const;

  Frame body, head, wing, tail;
  double plump;                     ///< stretches the belly downwards
  double beak_length;               ///< from the middle of the head, in its radii
  Point eye;                        ///< in the head's frame
  std::array<Point, 2> hips, feet;  ///< in the picture; legs are upright however the body tilts
};

}  // namespace mgproto::birds

#endif  // BIRDS__BIRD_POSE_HPP_
