// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BIRDS__SCENE_HPP_
#define BIRDS__SCENE_HPP_

#include <opencv2/core.hpp>

#include "birds/painter.hpp"

namespace mgproto::birds
{

/// What birds and vehicles share, so that nothing but the subject tells them apart.

/// Sky, woods, meadow, … out of focus: fills the canvas.
void paint_background(Canvas & canvas, Random & random);

/// Up to `amount` each of twigs, leaves and berries, anywhere.
void paint_clutter(Canvas & canvas, int amount, Random & random);

/// A twig through the three knots.
void paint_twig(Canvas & canvas, const Path & knots, double width, Random & random);

/// The picture as a camera sees it: brightness, colour and direction of the light, haze, noise.
cv::Mat develop(const Canvas & canvas, Random & random);

}  // namespace mgproto::birds

#endif  // BIRDS__SCENE_HPP_
