// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__BIRDS__VEHICLES_HPP_
#define TRAINING__BIRDS__VEHICLES_HPP_

#include <string>
#include <vector>

#include "training/birds/painter.hpp"

namespace mgproto::birds
{

/// car, bus, truck, bicycle.
const std::vector<std::string> & vehicle_kinds();

/// Paints one vehicle of that kind somewhere in the picture.
void paint_vehicle(Canvas & canvas, int kind, Random & random);

}  // namespace mgproto::birds

#endif  // TRAINING__BIRDS__VEHICLES_HPP_
