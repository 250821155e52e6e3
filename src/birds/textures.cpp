// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "birds/ood_subjects.hpp"
#include "datasets/noise.hpp"

namespace mgproto::birds
{
namespace
{

/// A wave with period 1 that is -1 at whole numbers and 1 half way between.
double triangle(double x) { return 1.0 - 4.0 * std::abs(x - std::floor(x) - 0.5); }

}  // namespace

const std::vector<std::string> & texture_kinds()
{
  static const std::vector<std::string> kinds = {"stripes", "checkers", "dots", "noise", "clouds"};
  return kinds;
}

void paint_texture(Canvas & canvas, int kind, Random & random)
{
  const Colour dark = draw_hsv({0.0, 1.0}, {0.1, 0.8}, {0.1, 0.6}, random);
  const Colour light = draw_hsv({0.0, 1.0}, {0.1, 0.8}, {0.5, 1.0}, random);
  const double period = random.uniform(0.05, 0.25);
  const Frame frame({0.5, 0.5}, period, random.uniform(0.0, CV_PI), false);
  const double share = random.uniform(-0.4, 0.4), edge = 2.0 * canvas.pixel() / period;
  const std::uint64_t seed = random.next();
  const int octaves = 1 + random.index(4);

  canvas.paint(canvas.cover_all(), [&](Point position) {
    const Point p = frame.to_local(position);
    double wave = 0.0;
    switch (kind) {
      case 0:
        return mix(dark, light, smooth_step(-edge, edge, triangle(p.x) - share));
      case 1:
        wave = triangle(0.5 * p.x + 0.25) * triangle(0.5 * p.y + 0.25);
        return mix(dark, light, smooth_step(-0.5 * edge, 0.5 * edge, wave));
      case 2: {
        const double dx = p.x - std::floor(p.x) - 0.5, dy = p.y - std::floor(p.y) - 0.5;
        const double radius = 0.3 + 0.25 * share;
        return mix(
          light, dark,
          smooth_step(radius - 0.25 * edge, radius + 0.25 * edge, std::sqrt(dx * dx + dy * dy)));
      }
      case 3: {
        // Grains of colour, a fifth of the period wide.
        Colour grain;
        for (int channel = 0; channel < 3; ++channel) {
          grain[channel] =
            value_noise(seed + static_cast<std::uint64_t>(channel), 5.0 * p.x, 5.0 * p.y);
        }
        return mix(dark, light, 0.5) + grain * (0.3 + 0.5 * std::abs(share));
      }
      default:
        wave = cloud_noise(seed, 0.7 * p.x, 0.7 * p.y, octaves);
        return mix(dark, light, smooth_step(-0.7, 0.7, wave));
    }
  });
}

}  // namespace mgproto::birds
