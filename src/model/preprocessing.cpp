// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/preprocessing.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "mgproto_ros/error.hpp"
#include "model/antialiased_resize.hpp"

namespace mgproto
{
namespace
{

constexpr int kLargestInput = 4096;        // network input, pixels a side
constexpr int kLargestOriginal = 1 << 16;  // keeps every size and offset far from overflow

void check(const ImageView & image)
{
  const std::string size = std::to_string(image.width) + "x" + std::to_string(image.height);
  if (
    image.width < 1 || image.height < 1 || image.width > kLargestOriginal ||
    image.height > kLargestOriginal) {
    throw ImageError(
      "image of " + size + " pixels: expected 1 to " + std::to_string(kLargestOriginal) +
      " on each side");
  }
  if (image.data == nullptr) {
    throw ImageError("image of " + size + " pixels holds no data");
  }
  const auto row = static_cast<std::size_t>(image.width) * channels(image.format);
  if (image.step < row) {
    throw ImageError(
      "image of " + size + " pixels: its rows need " + std::to_string(row) + " bytes, step is " +
      std::to_string(image.step));
  }
}

/// Half to even, as Python rounds when torchvision centres a crop.
int centred(int whole, int part) { return static_cast<int>(std::nearbyint((whole - part) / 2.0)); }

ResizeWindow window_of(const PreprocessingConfig & config, const ImageView & image)
{
  ResizeWindow window;
  window.columns = window.rows = config.size;
  if (config.mode == PreprocessingConfig::Mode::resize) {
    window.width = window.height = config.size;
    return window;
  }
  const std::int64_t shorter = shorter_side(config);
  if (image.width <= image.height) {
    window.width = static_cast<int>(shorter);
    window.height = static_cast<int>(shorter * image.height / image.width);
  } else {
    window.height = static_cast<int>(shorter);
    window.width = static_cast<int>(shorter * image.width / image.height);
  }
  window.left = centred(window.width, config.size);
  window.top = centred(window.height, config.size);
  return window;
}

}  // namespace

int shorter_side(const PreprocessingConfig & config)
{
  return config.shorter_side > 0 ? config.shorter_side : config.size * 8 / 7;
}

Box InputGeometry::to_original(int x0, int y0, int x1, int y1) const
{
  // The slack keeps an exact multiple, blurred by rounding, from claiming one more pixel.
  constexpr double kSlack = 1e-6;
  const auto low = [](double edge) { return static_cast<int>(std::floor(edge + kSlack)); };
  const auto high = [](double edge) { return static_cast<int>(std::ceil(edge - kSlack)); };
  const int left_edge = std::clamp(low((x0 + left) * scale_x), 0, original_width - 1);
  const int top_edge = std::clamp(low((y0 + top) * scale_y), 0, original_height - 1);
  const int right_edge = std::clamp(high((x1 + left) * scale_x), left_edge + 1, original_width);
  const int bottom_edge = std::clamp(high((y1 + top) * scale_y), top_edge + 1, original_height);
  return {left_edge, top_edge, right_edge - left_edge, bottom_edge - top_edge};
}

SeenRegion InputGeometry::seen() const
{
  return {left * scale_x, top * scale_y, size * scale_x, size * scale_y};
}

Preprocessor::Preprocessor(const PreprocessingConfig & config) : config_(config), table_(3 * 256)
{
  mgproto::check(config_);
  for (int c = 0; c < 3; ++c) {
    for (int level = 0; level < 256; ++level) {
      table_[c * 256 + level] =
        (static_cast<float>(level) / 255.0f - config_.mean[c]) / config_.std[c];
    }
  }
}

InputGeometry Preprocessor::operator()(const ImageView & image, float * input)
{
  check(image);
  const ResizeWindow window = window_of(config_, image);
  antialiased_resize(image, window, rows_, resized_);

  const int pixel = channels(image.format);
  const std::size_t area = static_cast<std::size_t>(config_.size) * config_.size;
  for (int c = 0; c < 3; ++c) {
    const int in_memory = pixel == 1 ? 0 : (image.format == PixelFormat::bgr ? 2 - c : c);
    const float * normalised = table_.data() + c * 256;
    const std::uint8_t * level = resized_.data() + in_memory;
    float * plane = input + c * area;
    for (std::size_t i = 0; i < area; ++i) {
      plane[i] = normalised[level[i * pixel]];
    }
  }

  return geometry_of(config_, image.width, image.height);
}

InputGeometry geometry_of(const PreprocessingConfig & config, int width, int height)
{
  const ImageView image{nullptr, width, height};
  const ResizeWindow window = window_of(config, image);
  InputGeometry geometry;
  geometry.original_width = image.width;
  geometry.original_height = image.height;
  geometry.scale_x = static_cast<double>(image.width) / window.width;
  geometry.scale_y = static_cast<double>(image.height) / window.height;
  geometry.left = window.left;
  geometry.top = window.top;
  geometry.size = config.size;
  return geometry;
}

void check(const PreprocessingConfig & config)
{
  if (config.size < 1 || config.size > kLargestInput) {
    throw ConfigError(
      "preprocessing.size",
      std::to_string(config.size) + " is not within 1 to " + std::to_string(kLargestInput));
  }
  if (
    config.shorter_side != 0 &&
    (config.shorter_side < config.size || config.shorter_side > 2 * kLargestInput)) {
    throw ConfigError(
      "preprocessing.shorter_side", std::to_string(config.shorter_side) +
                                      " is neither 0 nor at least the size of " +
                                      std::to_string(config.size));
  }
  for (int c = 0; c < 3; ++c) {
    if (!std::isfinite(config.mean[c])) {
      throw ConfigError("preprocessing.mean", "must be finite");
    }
    if (!std::isfinite(config.std[c]) || config.std[c] <= 0) {
      throw ConfigError("preprocessing.std", "must be finite and greater than 0");
    }
  }
}

}  // namespace mgproto
