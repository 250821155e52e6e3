// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "datasets/garbage_kinds.hpp"

namespace mgproto::garbage
{
namespace
{

/// Black and white, or any two colours that can be told apart.
std::array<Colour, 2> draw_two_colours(Random & random)
{
  if (random.chance(0.25)) {
    return {grey(0.0), grey(255.0)};
  }
  const Colour first = draw_colour(random);
  return {first, draw_other_colour(first, random)};
}

int shorter_side(const cv::Mat & image) { return std::min(image.cols, image.rows); }

/// White, yellow, cyan, green, magenta, red, blue, black: the order of falling brightness.
Colour bar_colour(int bar, double amplitude)
{
  const bool blue = bar % 2 == 0, green = bar < 4, red = bar % 4 < 2;
  return Colour(blue ? amplitude : 0.0, green ? amplitude : 0.0, red ? amplitude : 0.0);
}

/// Lines between the fields of a chart, and a circle about its centre.
struct Overlay
{
  int spacing;    ///< of the lines; 0 without them
  double radius;  ///< 0 without a circle
  double centre_x, centre_y, width;

  bool covers(int x, int y) const
  {
    if (spacing > 0 && (x % spacing == spacing / 2 || y % spacing == spacing / 2)) {
      return true;
    }
    const double dx = x - centre_x, dy = y - centre_y;
    return radius > 0.0 && std::abs(std::sqrt(dx * dx + dy * dy) - radius) < width;
  }
};

}  // namespace

void draw_checkerboard(cv::Mat & image, Random & random)
{
  const int cell = draw_length(shorter_side(image) / 4, random);
  const int right = random.index(2 * cell), down = random.index(2 * cell);
  const std::array<Colour, 2> colours = draw_two_colours(random);
  fill(image, [&](int x, int y) {
    return colours[static_cast<std::size_t>(((x + right) / cell + (y + down) / cell) % 2)];
  });
}

void draw_stripes(cv::Mat & image, Random & random)
{
  const Direction across = draw_direction(random);
  const double period = 2.0 + draw_length(shorter_side(image) / 3, random) + random.uniform();
  const double begin = random.uniform(), share = random.uniform(-0.6, 0.6);
  const double edge = random.chance(0.3) ? 1.0 : std::min(1.0, 4.0 / period);  // a wave, or sharp
  const std::array<Colour, 2> colours = draw_two_colours(random);
  fill(image, [&](int x, int y) {
    const double level = wave(begin + (x * across[0] + y * across[1]) / period) - share;
    return mix(colours[0], colours[1], smooth_step(-edge, edge, level));
  });
}

void draw_flat_colour(cv::Mat & image, Random & random)
{
  const Colour colour = random.chance(0.3) ? grey(random.uniform(0.0, 256.0)) : draw_colour(random);
  fill(image, [&](int, int) { return colour; });
}

void draw_gradient(cv::Mat & image, Random & random)
{
  const bool round = random.chance(0.3);
  const Direction along = draw_direction(random);
  const double centre_x = random.uniform(), centre_y = random.uniform();
  const std::array<Colour, 2> colours = draw_two_colours(random);
  // The corners have the two colours where it is straight, the middle and the farthest corner else.
  const double reach = std::abs(along[0]) + std::abs(along[1]);
  const double far_x = std::max(centre_x, 1.0 - centre_x);
  const double far_y = std::max(centre_y, 1.0 - centre_y);
  fill(image, [&](int x, int y) {
    const double u = (x + 0.5) / image.cols, v = (y + 0.5) / image.rows;
    if (round) {
      const double dx = u - centre_x, dy = v - centre_y;
      const double distance = std::sqrt((dx * dx + dy * dy) / (far_x * far_x + far_y * far_y));
      return mix(colours[0], colours[1], distance);
    }
    const double t = 0.5 + ((u - 0.5) * along[0] + (v - 0.5) * along[1]) / reach;
    return mix(colours[0], colours[1], t);
  });
}

/// Colour bars, below them often the same bars in reverse, and a ramp of greys, as broadcasters and
/// camera drivers send.
void draw_test_chart(cv::Mat & image, Random & random)
{
  const double amplitude = random.uniform(180.0, 256.0);
  const int bars = 7 + random.index(2);
  const bool falling = random.chance(0.7), ramp_rising = random.chance(0.5);
  const double bars_end = random.uniform(0.4, 0.8);
  const double reverse_end = random.chance(0.5) ? bars_end + random.uniform(0.05, 0.15) : bars_end;
  const int steps = random.chance(0.5) ? 5 + random.index(12) : 256;
  const bool lines = random.chance(0.3), circle = random.chance(0.4);
  const int side = shorter_side(image);
  const Overlay overlay{
    lines ? std::max(4, side / (4 + random.index(8))) : 0,
    circle ? random.uniform(0.3, 0.48) * side : 0.0, 0.5 * (image.cols - 1), 0.5 * (image.rows - 1),
    std::max(0.8, 0.008 * side)};
  fill(image, [&](int x, int y) {
    if (overlay.covers(x, y)) {
      return grey(amplitude);
    }
    const double v = (y + 0.5) / image.rows;
    if (v < reverse_end) {
      const int bar = x * bars / image.cols;
      return bar_colour(falling == (v < bars_end) ? bar : bars - 1 - bar, amplitude);
    }
    const int step = x * steps / image.cols;
    return grey(255.0 * (ramp_rising ? step : steps - 1 - step) / (steps - 1));
  });
}

}  // namespace mgproto::garbage
