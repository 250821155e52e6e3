// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__ANTIALIASED_RESIZE_HPP_
#define MODEL__ANTIALIASED_RESIZE_HPP_

#include <cstdint>
#include <vector>

#include "mgproto_ros/image_view.hpp"

namespace mgproto
{

/// What to compute of the image resized to width x height: the window that begins at (left, top).
struct ResizeWindow
{
  int width = 0;
  int height = 0;
  int left = 0;
  int top = 0;
  int columns = 0;
  int rows = 0;
};

/// Bilinear resize whose triangle filter widens when shrinking, in the fixed-point arithmetic of
/// PIL's `Image.resize(BILINEAR)` on 8-bit images: pre-trained weights expect these very pixels.
/// Writes [rows, columns, channels] to `output`; `scratch` and `output` are reused between calls.
void antialiased_resize(
  const ImageView & image, const ResizeWindow & window, std::vector<std::uint8_t> & scratch,
  std::vector<std::uint8_t> & output);

}  // namespace mgproto

#endif  // MODEL__ANTIALIASED_RESIZE_HPP_
