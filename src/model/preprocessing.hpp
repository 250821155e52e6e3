// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__PREPROCESSING_HPP_
#define MODEL__PREPROCESSING_HPP_

#include <cstdint>
#include <string>
#include <vector>

#include "mgproto_ros/image_view.hpp"
#include "mgproto_ros/model_config.hpp"
#include "mgproto_ros/prediction.hpp"

namespace mgproto
{

/// Where the network's input lies in the original image: input x covers original pixels
/// [(x + left) * scale_x, (x + 1 + left) * scale_x).
struct InputGeometry
{
  int original_width = 0;
  int original_height = 0;
  double scale_x = 1;
  double scale_y = 1;
  int left = 0;  ///< columns cropped off the resized image
  int top = 0;
  int size = 0;

  /// The smallest box of whole original pixels that covers input pixels [x0, x1) x [y0, y1).
  Box to_original(int x0, int y0, int x1, int y1) const;
  SeenRegion seen() const;
};

/// Of an image of that size.
InputGeometry geometry_of(const PreprocessingConfig & config, int width, int height);

/// Turns 8-bit images into the network's input. Reuses its buffers: one instance per thread.
class Preprocessor
{
public:
  /// Throws ConfigError if the config cannot be used.
  explicit Preprocessor(const PreprocessingConfig & config);

  /// Writes RGB planes [3, size, size], normalised, to `input`. Throws ImageError for an image
  /// without pixels or with rows shorter than its width.
  InputGeometry operator()(const ImageView & image, float * input);

  const PreprocessingConfig & config() const { return config_; }

private:
  PreprocessingConfig config_;
  std::vector<std::uint8_t> rows_;     // after the horizontal pass
  std::vector<std::uint8_t> resized_;  // [size, size, channels]
  std::vector<float> table_;           // [3, 256]: grey level -> normalised value
};

/// Shorter side, in pixels, of the resized image that resize_crop takes its centre from.
int shorter_side(const PreprocessingConfig & config);

/// Throws ConfigError, naming the key, if a value is out of range.
void check(const PreprocessingConfig & config);

}  // namespace mgproto

#endif  // MODEL__PREPROCESSING_HPP_
