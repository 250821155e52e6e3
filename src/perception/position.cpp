// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/position.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace mgproto::perception
{
namespace
{

constexpr double kFewestValid = 0.1;             // share of the pixels that are looked at
constexpr std::int64_t kMostPixels = 1 << 12;    // that are looked at; of more, some on a grid
constexpr double kLeastDeviation = 0.001;        // metres: no camera measures better
constexpr double kDeviationOverMedian = 1.4826;  // of a normal distribution
constexpr std::uint16_t kSaturated = 0xffff;

bool same_shape(int width, int height, int other_width, int other_height)
{
  const std::int64_t difference =
    std::int64_t{width} * other_height - std::int64_t{other_width} * height;
  return std::abs(difference) <= std::max({width, height, other_width, other_height});
}

bool has_depth_pixels(const CameraImage & image)
{
  const bool is_short = image.encoding == Encoding::mono16;
  if (
    image.data == nullptr || image.width < 1 || image.height < 1 || image.width > kMaxSide ||
    image.height > kMaxSide || (!is_short && image.encoding != Encoding::float32)) {
    return false;
  }
  const std::size_t row = static_cast<std::size_t>(image.width) * (is_short ? 2 : 4);
  const auto rows_before_last = static_cast<std::size_t>(image.height - 1);
  return image.step >= row && image.size >= row &&
         (rows_before_last == 0 || (image.size - row) / rows_before_last >= image.step);
}

/// In metres; 0 for the codes that mean none.
float metres_at(const CameraImage & image, int x, int y)
{
  const std::size_t bytes = image.encoding == Encoding::mono16 ? 2 : 4;
  const std::uint8_t * from =
    image.data + static_cast<std::size_t>(y) * image.step + static_cast<std::size_t>(x) * bytes;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    bits |= std::uint32_t{from[i]} << 8 * (image.big_endian ? bytes - 1 - i : i);
  }
  if (bytes == 2) {
    return bits == kSaturated ? 0.0f : static_cast<float>(bits) / 1000;
  }
  float metres;
  std::memcpy(&metres, &bits, sizeof metres);
  return metres;
}

/// The middle half of [begin, begin + length), which `scale` takes to pixels 0 to `size`; at least
/// one.
void middle_half(int begin, int length, double scale, int size, int & first, int & end)
{
  first = std::clamp(static_cast<int>(std::floor((begin + 0.25 * length) * scale)), 0, size - 1);
  end = std::clamp(static_cast<int>(std::ceil((begin + 0.75 * length) * scale)), first + 1, size);
}

/// Those that there are, in metres, of the box's middle half; none if they are too few.
std::vector<float> depths_in(
  const Box & box, const Intrinsics & camera, const CameraImage & depth, double farthest)
{
  int left, right, top, bottom;
  middle_half(
    box.x, box.width, static_cast<double>(depth.width) / camera.width, depth.width, left, right);
  middle_half(
    box.y, box.height, static_cast<double>(depth.height) / camera.height, depth.height, top,
    bottom);
  const std::int64_t pixels = std::int64_t{right - left} * (bottom - top);
  const int stride =
    pixels <= kMostPixels
      ? 1
      : static_cast<int>(std::ceil(std::sqrt(static_cast<double>(pixels) / kMostPixels)));
  std::vector<float> depths;
  std::size_t seen = 0;
  for (int y = top; y < bottom; y += stride) {
    for (int x = left; x < right; x += stride) {
      const float metres = metres_at(depth, x, y);
      ++seen;
      if (metres > 0 && metres <= farthest) {  // false for what is not a number, too
        depths.push_back(metres);
      }
    }
  }
  if (static_cast<double>(depths.size()) < kFewestValid * static_cast<double>(seen)) {
    depths.clear();
  }
  return depths;
}

/// Of an even number the lower one: a depth that was measured, not one between two surfaces.
float median(std::vector<float> & values)
{
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

bool is_finite(const Position & position)
{
  const auto finite = [](double value) { return std::isfinite(value); };
  return finite(position.x) && finite(position.y) && finite(position.width) &&
         finite(position.height) &&
         std::all_of(position.covariance.begin(), position.covariance.end(), finite);
}

/// Of a place anywhere within so many pixels.
double uniform_variance(double length) { return length * length / 12; }

}  // namespace

std::optional<Intrinsics> scaled_to(const Intrinsics & camera, int width, int height)
{
  if (width < 1 || height < 1) {
    return std::nullopt;
  }
  Intrinsics result = camera;
  result.width = width;
  result.height = height;
  if (camera.width == 0 && camera.height == 0) {
    return result;
  }
  if (
    camera.width < 1 || camera.height < 1 ||
    !same_shape(camera.width, camera.height, width, height)) {
    return std::nullopt;
  }
  const double across = static_cast<double>(width) / camera.width;
  const double down = static_cast<double>(height) / camera.height;
  result.fx = camera.fx * across;
  result.fy = camera.fy * down;
  result.cx = (camera.cx + 0.5) * across - 0.5;
  result.cy = (camera.cy + 0.5) * down - 0.5;
  return result;
}

std::optional<Position> position_of(
  const Box & box, const Intrinsics & camera, const CameraImage & depth, double farthest)
{
  const bool inside = box.x >= 0 && box.y >= 0 && box.width > 0 && box.height > 0 &&
                      box.width <= camera.width - box.x && box.height <= camera.height - box.y;
  if (
    !inside || !(camera.fx > 0) || !(camera.fy > 0) || !has_depth_pixels(depth) ||
    !same_shape(depth.width, depth.height, camera.width, camera.height)) {
    return std::nullopt;
  }
  std::vector<float> depths = depths_in(box, camera, depth, farthest);
  if (depths.empty()) {
    return std::nullopt;
  }
  const float middle = median(depths);
  for (float & metres : depths) {
    metres = std::abs(metres - middle);
  }
  const double z = middle;
  const double deviation = std::max(kDeviationOverMedian * median(depths), kLeastDeviation);

  // The ray through the middle of the box, at depth 1.
  const double ray[3] = {
    (box.x + (box.width - 1) / 2.0 - camera.cx) / camera.fx,
    (box.y + (box.height - 1) / 2.0 - camera.cy) / camera.fy, 1};
  const double beside[3] = {
    uniform_variance(box.width / 2.0) / (camera.fx * camera.fx),
    uniform_variance(box.height / 2.0) / (camera.fy * camera.fy), 0};
  Position position;
  position.x = z * ray[0];
  position.y = z * ray[1];
  position.z = z;
  for (int row = 0; row < 3; ++row) {
    for (int col = 0; col < 3; ++col) {
      position.covariance[3 * row + col] =
        deviation * deviation * ray[row] * ray[col] + (row == col ? z * z * beside[row] : 0);
    }
  }
  position.width = z * box.width / camera.fx;
  position.height = z * box.height / camera.fy;
  position.thickness = 4 * deviation;
  return is_finite(position) ? std::optional(position) : std::nullopt;
}

}  // namespace mgproto::perception
