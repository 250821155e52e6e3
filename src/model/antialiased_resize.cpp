// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/antialiased_resize.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/core/hal/intrin.hpp>

namespace mgproto
{
namespace
{

constexpr int kFractionBits = 32 - 8 - 2;  // weights in [-1, 2), 8-bit pixels, 32-bit sums
constexpr int kHalf = 1 << (kFractionBits - 1);

/// For each output position the input positions under its filter and their weights.
struct Taps
{
  std::vector<int> first;
  std::vector<int> count;
  std::vector<std::int32_t> weight;  // [positions, stride]
  int stride = 0;
};

/// The filter of output positions [begin, begin + positions) when `input` pixels become `output`.
Taps triangle_taps(int input, int output, int begin, int positions)
{
  const double scale = static_cast<double>(input) / output;
  const double support = std::max(scale, 1.0);
  Taps taps;
  taps.stride = static_cast<int>(std::ceil(support)) * 2 + 1;
  taps.first.resize(positions);
  taps.count.resize(positions);
  taps.weight.assign(static_cast<std::size_t>(positions) * taps.stride, 0);
  std::vector<double> weight(taps.stride);
  for (int i = 0; i < positions; ++i) {
    const double center = (begin + i + 0.5) * scale;
    const int first = std::max(static_cast<int>(center - support + 0.5), 0);
    const int last = std::min(static_cast<int>(center + support + 0.5), input);
    double sum = 0;
    for (int k = first; k < last; ++k) {
      weight[k - first] = std::max(0.0, 1.0 - std::abs((k - center + 0.5) / support));
      sum += weight[k - first];
    }
    for (int k = 0; k < last - first; ++k) {
      taps.weight[static_cast<std::size_t>(i) * taps.stride + k] =
        static_cast<std::int32_t>(0.5 + weight[k] / sum * (1 << kFractionBits));
    }
    taps.first[i] = first;
    taps.count[i] = last - first;
  }
  return taps;
}

std::uint8_t to_grey_level(std::int32_t sum)
{
  return static_cast<std::uint8_t>(std::clamp(sum >> kFractionBits, 0, 255));
}

/// The same weights for vector units, which multiply 16-bit numbers best: taken apart into halves,
/// those of two neighbouring taps together, as often as there is room in a vector.
struct PairedTaps
{
  static constexpr int kLowBits = 11;

  explicit PairedTaps(const Taps & taps)
  {
    for (std::size_t k = 0; k + 1 < taps.weight.size(); ++k) {
      const auto pairs = [&](int shift, int mask) {
        const auto half = [&](std::size_t i) { return (taps.weight[i] >> shift) & mask; };
        return cv::v_reinterpret_as_s16(cv::v_setall_s32(half(k) | half(k + 1) << 16));
      };
      high.push_back(pairs(kLowBits, 0xffff));
      low.push_back(pairs(0, (1 << kLowBits) - 1));
    }
  }

  std::vector<cv::v_int16x8> high, low;  // at [i] those of weights i and i + 1
};

/// Adds as many taps to `sum` as can be taken two at a time, and returns how many.
int add_pairs(
  const std::uint8_t * pixel, const std::uint8_t * row_end, const cv::v_int16x8 * high_weight,
  const cv::v_int16x8 * low_weight, int count, std::int32_t * sum /*[3]*/)
{
  constexpr int kLoaded = 8;  // bytes at once, of which 6 are used
  cv::v_int32x4 high = cv::v_setzero_s32(), low = cv::v_setzero_s32();
  int k = 0;
  for (; k + 1 < count && row_end - pixel >= kLoaded; k += 2, pixel += 6) {
    // b g r b' g' r' . . and b' g' r' . . . . .  ->  b b' g g' r r' . .
    const cv::v_int16x8 first = cv::v_reinterpret_as_s16(cv::v_load_expand(pixel));
    const cv::v_int16x8 second = cv::v_rotate_right<3>(first);
    cv::v_int16x8 pairs, rest;
    cv::v_zip(first, second, pairs, rest);
    high = cv::v_dotprod(pairs, high_weight[k], high);
    low = cv::v_dotprod(pairs, low_weight[k], low);
  }
  std::int32_t of_pairs[4];
  cv::v_store(of_pairs, (high << PairedTaps::kLowBits) + low);
  for (int c = 0; c < 3; ++c) {
    sum[c] += of_pairs[c];
  }
  return k;
}

template <int Channels>
void resize_row(
  const std::uint8_t * row, const std::uint8_t * row_end, const Taps & taps,
  const PairedTaps & paired, int columns, std::uint8_t * output)
{
  const std::int32_t * weight = taps.weight.data();
  for (int x = 0; x < columns; ++x, weight += taps.stride) {
    std::int32_t sum[Channels];
    std::fill(sum, sum + Channels, kHalf);
    const std::uint8_t * pixel = row + static_cast<std::size_t>(taps.first[x]) * Channels;
    int done = 0;
    if constexpr (Channels == 3) {
      const std::size_t first = static_cast<std::size_t>(x) * taps.stride;
      done = add_pairs(pixel, row_end, &paired.high[first], &paired.low[first], taps.count[x], sum);
      pixel += Channels * done;
    }
    for (int k = done; k < taps.count[x]; ++k, pixel += Channels) {
      for (int c = 0; c < Channels; ++c) {
        sum[c] += pixel[c] * weight[k];
      }
    }
    for (int c = 0; c < Channels; ++c) {
      output[static_cast<std::size_t>(x) * Channels + c] = to_grey_level(sum[c]);
    }
  }
}

}  // namespace

void antialiased_resize(
  const ImageView & image, const ResizeWindow & window, std::vector<std::uint8_t> & scratch,
  std::vector<std::uint8_t> & output)
{
  const Taps across = triangle_taps(image.width, window.width, window.left, window.columns);
  const Taps down = triangle_taps(image.height, window.height, window.top, window.rows);
  const PairedTaps paired(across);
  const int pixel_bytes = channels(image.format);
  const std::size_t row_bytes = static_cast<std::size_t>(window.columns) * pixel_bytes;

  // Only the input rows under some output row's filter are read.
  const int first_row = down.first.front();
  const int end_row = down.first.back() + down.count.back();
  scratch.resize(row_bytes * (end_row - first_row));
  for (int y = first_row; y < end_row; ++y) {
    const std::uint8_t * row = image.data + static_cast<std::size_t>(y) * image.step;
    std::uint8_t * resized = scratch.data() + row_bytes * (y - first_row);
    const std::uint8_t * row_end = row + static_cast<std::size_t>(image.width) * pixel_bytes;
    if (pixel_bytes == 1) {
      resize_row<1>(row, row_end, across, paired, window.columns, resized);
    } else {
      resize_row<3>(row, row_end, across, paired, window.columns, resized);
    }
  }

  output.resize(row_bytes * window.rows);
  std::vector<std::int32_t> sums(row_bytes);
  for (int y = 0; y < window.rows; ++y) {
    std::fill(sums.begin(), sums.end(), kHalf);
    for (int k = 0; k < down.count[y]; ++k) {
      const std::int32_t weight = down.weight[static_cast<std::size_t>(y) * down.stride + k];
      const std::uint8_t * row = scratch.data() + row_bytes * (down.first[y] + k - first_row);
      for (std::size_t i = 0; i < row_bytes; ++i) {
        sums[i] += row[i] * weight;
      }
    }
    std::uint8_t * row = output.data() + row_bytes * y;
    std::transform(sums.begin(), sums.end(), row, to_grey_level);
  }
}

}  // namespace mgproto
