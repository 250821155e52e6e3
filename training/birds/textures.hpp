// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__BIRDS__TEXTURES_HPP_
#define TRAINING__BIRDS__TEXTURES_HPP_

#include <string>
#include <vector>

#include "training/birds/painter.hpp"

namespace mgproto::birds
{

/// stripes, checkers, dots, noise, clouds.
const std::vector<std::string> & texture_kinds();

/// Fills the canvas with a texture of that kind.
void paint_texture(Canvas & canvas, int kind, Random & random);

}  // namespace mgproto::birds

#endif  // TRAINING__BIRDS__TEXTURES_HPP_
