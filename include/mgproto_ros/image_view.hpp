// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MGPROTO_ROS__IMAGE_VIEW_HPP_
#define MGPROTO_ROS__IMAGE_VIEW_HPP_

#include <cstddef>
#include <cstdint>

namespace mgproto
{

/// Order of the 8-bit channels of a pixel in memory.
enum class PixelFormat
{
  rgb,
  bgr,
  mono
};

inline int channels(PixelFormat format) { return format == PixelFormat::mono ? 1 : 3; }

/// Somebody else's 8-bit image: row y begins at data + y * step. Rows may be padded.
struct ImageView
{
  const std::uint8_t * data = nullptr;
  int width = 0;
  int height = 0;
  std::size_t step = 0;  ///< bytes from one row to the next, at least width * channels
  PixelFormat format = PixelFormat::bgr;
};

}  // namespace mgproto

#endif  // MGPROTO_ROS__IMAGE_VIEW_HPP_
