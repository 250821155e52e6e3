// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "datasets/warp.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace mgproto
{
namespace
{

// Weights are whole numbers of 1/2048: a blend of 8-bit levels by two of them fits into 32 bits,
// and integers spare eleven of twelve conversions to float.
constexpr int kWeightBits = 11;
constexpr int kOne = 1 << kWeightBits;

/// The two pixels beside a coordinate within the image, and the weight of the second.
struct Neighbours
{
  int first;
  int second;
  int weight;
};

inline Neighbours neighbours(float coordinate, int length)
{
  const float shifted = coordinate + 0.5f;
  const int second = static_cast<int>(shifted);
  const int weight = static_cast<int>((shifted - static_cast<float>(second)) * kOne);
  return {std::max(second - 1, 0), std::min(second, length - 1), weight};
}

}  // namespace

void warp(
  const cv::Mat & bgr, const cv::Matx33d & image_from_input, const PreprocessingConfig & config,
  float * input)
{
  const cv::Matx33f m(image_from_input);
  const int size = config.size;
  const std::size_t area = static_cast<std::size_t>(size) * size;
  const std::uint8_t * data = bgr.data;
  const std::size_t step = bgr.step[0];
  const int columns = bgr.cols;
  const int rows = bgr.rows;
  float scale[3];  // of RGB, from a blend to the normalised value
  float black[3];
  for (int c = 0; c < 3; ++c) {
    scale[c] = 1.0f / (255.0f * config.std[c] * kOne * kOne);
    black[c] = -config.mean[c] / config.std[c];
  }

  for (int v = 0; v < size; ++v) {
    const float row = static_cast<float>(v) + 0.5f;
    const float row_x = m(0, 1) * row + m(0, 2);
    const float row_y = m(1, 1) * row + m(1, 2);
    const float row_depth = m(2, 1) * row + m(2, 2);
    float * out = input + static_cast<std::size_t>(v) * size;
    for (int u = 0; u < size; ++u, ++out) {
      const float column = static_cast<float>(u) + 0.5f;
      const float depth = m(2, 0) * column + row_depth;
      const float nearness = 1.0f / depth;
      const float x = (m(0, 0) * column + row_x) * nearness;
      const float y = (m(1, 0) * column + row_y) * nearness;
      const bool inside = depth > 0 && x >= 0 && x < static_cast<float>(columns) && y >= 0 &&
                          y < static_cast<float>(rows);
      if (!inside) {
        for (int c = 0; c < 3; ++c) {
          out[c * area] = black[c];
        }
        continue;
      }
      const Neighbours across = neighbours(x, columns);
      const Neighbours down = neighbours(y, rows);
      const std::uint8_t * above = data + down.first * step;
      const std::uint8_t * below = data + down.second * step;
      for (int c = 0; c < 3; ++c) {
        const int left = 3 * across.first + 2 - c;
        const int right = 3 * across.second + 2 - c;
        const int top = above[left] * kOne + across.weight * (above[right] - above[left]);
        const int bottom = below[left] * kOne + across.weight * (below[right] - below[left]);
        const int blend = top * (kOne - down.weight) + bottom * down.weight;
        out[c * area] = static_cast<float>(blend) * scale[c] + black[c];
      }
    }
  }
}

}  // namespace mgproto
