// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DATASETS__GARBAGE_KINDS_HPP_
#define DATASETS__GARBAGE_KINDS_HPP_

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>

#include "datasets/noise.hpp"
#include "model/random.hpp"

namespace mgproto::garbage
{

// Each of these fills an 8-bit BGR image of any size. Square roots and the four operations are all
// the arithmetic there is: these, unlike sines, are the same in every maths library.

// garbage_noise.cpp
void draw_uniform_noise(cv::Mat & image, Random & random);
void draw_grey_noise(cv::Mat & image, Random & random);
void draw_gaussian_noise(cv::Mat & image, Random & random);
void draw_coarse_noise(cv::Mat & image, Random & random);
void draw_salt_and_pepper(cv::Mat & image, Random & random);
void draw_blocks(cv::Mat & image, Random & random);

// garbage_patterns.cpp
void draw_checkerboard(cv::Mat & image, Random & random);
void draw_stripes(cv::Mat & image, Random & random);
void draw_flat_colour(cv::Mat & image, Random & random);
void draw_gradient(cv::Mat & image, Random & random);
void draw_test_chart(cv::Mat & image, Random & random);

// garbage_faults.cpp
void draw_underexposed(cv::Mat & image, Random & random);
void draw_overexposed(cv::Mat & image, Random & random);
void draw_blur(cv::Mat & image, Random & random);
void draw_broken_transfer(cv::Mat & image, Random & random);

using Colour = cv::Vec3d;  ///< blue, green, red; 0 to 255, and clipped to it when it is stored
using Direction = cv::Vec2d;

inline Colour grey(double value) { return {value, value, value}; }

inline Colour mix(const Colour & a, const Colour & b, double t) { return a + (b - a) * t; }

inline Colour draw_colour(Random & random)
{
  Colour colour;
  for (int channel = 0; channel < 3; ++channel) {
    colour[channel] = random.uniform(0.0, 256.0);
  }
  return colour;
}

/// A colour that differs from `other` by 90 or more in a channel.
inline Colour draw_other_colour(const Colour & other, Random & random)
{
  Colour colour = draw_colour(random);
  while (cv::norm(colour - other, cv::NORM_INF) < 90.0) {
    colour = draw_colour(random);
  }
  return colour;
}

/// A unit vector.
inline Direction draw_direction(Random & random)
{
  for (;;) {
    const Direction at{random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
    const double square = at[0] * at[0] + at[1] * at[1];
    if (square > 0.01 && square <= 1.0) {
      return at * (1.0 / std::sqrt(square));
    }
  }
}

/// Pixels from 1 to `largest`, the small ones more often than the large.
inline int draw_length(int largest, Random & random)
{
  const double u = random.uniform();
  return 1 + static_cast<int>(u * u * std::max(largest, 1));
}

/// Period 1, in [-1, 1], 1 at whole numbers: a cosine made of polynomials.
inline double wave(double x)
{
  return 2.0 * smooth_step(0.0, 1.0, std::abs(2.0 * (x - std::floor(x)) - 1.0)) - 1.0;
}

inline cv::Vec3b stored(const Colour & colour)
{
  cv::Vec3b bytes;
  for (int channel = 0; channel < 3; ++channel) {
    bytes[channel] = static_cast<std::uint8_t>(std::clamp(colour[channel], 0.0, 255.0) + 0.5);
  }
  return bytes;
}

/// colour(x, y) for every pixel, row by row from the top left.
template <typename ColourAt>
void fill(cv::Mat & image, const ColourAt & colour)
{
  for (int y = 0; y < image.rows; ++y) {
    auto * row = image.ptr<cv::Vec3b>(y);
    for (int x = 0; x < image.cols; ++x) {
      row[x] = stored(colour(x, y));
    }
  }
}

}  // namespace mgproto::garbage

#endif  // DATASETS__GARBAGE_KINDS_HPP_
