// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BIRDS__OOD_SUBJECTS_HPP_
#define BIRDS__OOD_SUBJECTS_HPP_

#include <string>
#include <vector>

#include "birds/painter.hpp"

namespace mgproto::birds
{

/// car, bus, truck, bicycle.
const std::vector<std::string> & vehicle_kinds();

/// Paints one vehicle of that kind somewhere in the picture.
void paint_vehicle(Canvas & canvas, int kind, Random & random);

/// stripes, checkers, dots, noise, clouds.
const std::vector<std::string> & texture_kinds();

/// Fills the canvas with a texture of that kind.
void paint_texture(Canvas & canvas, int kind, Random & random);

}  // namespace mgproto::birds

#endif  // BIRDS__OOD_SUBJECTS_HPP_
