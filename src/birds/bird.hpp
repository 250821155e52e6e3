// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BIRDS__BIRD_HPP_
#define BIRDS__BIRD_HPP_

#include <array>

#include "birds/painter.hpp"
#include "birds/species.hpp"

namespace mgproto::birds
{

/// Paints one individual somewhere in the picture, as its subject, with the perch or ground shadow
/// it stands on. Returns where its parts are, in the order of PartName.
std::array<Point, kPartCount> paint_bird(Canvas & canvas, const Species & species, Random & random);

}  // namespace mgproto::birds

#endif  // BIRDS__BIRD_HPP_
