// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DATASETS__NOISE_HPP_
#define DATASETS__NOISE_HPP_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "model/random.hpp"

namespace mgproto
{

inline double mix(double a, double b, double t) { return a + (b - a) * t; }

/// 0 below `from`, 1 above `to`, smooth between.
inline double smooth_step(double from, double to, double x)
{
  const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

/// Smooth noise in [-1, 1] with one bump per unit of x and y; the same for the same seed.
inline double value_noise(std::uint64_t seed, double x, double y)
{
  const double fx = std::floor(x), fy = std::floor(y);
  const auto ix = static_cast<std::int64_t>(fx), iy = static_cast<std::int64_t>(fy);
  const auto corner = [&](std::int64_t dx, std::int64_t dy) {
    const std::uint64_t column = static_cast<std::uint64_t>(ix + dx) * 0x8DA6B343ULL;
    const std::uint64_t row = static_cast<std::uint64_t>(iy + dy) * 0xD8163841ULL;
    return static_cast<double>(Random::mix(seed ^ column ^ (row << 20)) >> 11) * 0x1p-52 - 1.0;
  };
  const double tx = smooth_step(0, 1, x - fx), ty = smooth_step(0, 1, y - fy);
  return mix(mix(corner(0, 0), corner(1, 0), tx), mix(corner(0, 1), corner(1, 1), tx), ty);
}

/// Octaves of noise, each twice as fine and half as strong as the one before; about in [-1, 1].
inline double cloud_noise(std::uint64_t seed, double x, double y, int octaves)
{
  double sum = 0.0, strength = 0.6;
  for (int octave = 0; octave < octaves; ++octave, strength *= 0.5) {
    sum += strength * value_noise(seed + static_cast<std::uint64_t>(octave), x, y);
    x = 2.0 * x + 0.37;
    y = 2.0 * y + 0.71;
  }
  return sum;
}

}  // namespace mgproto

#endif  // DATASETS__NOISE_HPP_
