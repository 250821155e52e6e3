// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__DEPTH_IMAGES_HPP_
#define PERCEPTION__DEPTH_IMAGES_HPP_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "perception/depth_store.hpp"

namespace mgproto::perception::test
{

/// Metres at a pixel.
using Surface = std::function<float(int x, int y)>;

/// With rows that are padded, as drivers send them.
inline CameraImage depth_image(
  int width, int height, const Surface & metres, Encoding encoding = Encoding::float32,
  bool big_endian = false)
{
  const std::size_t bytes = encoding == Encoding::mono16 ? 2 : 4;
  CameraImage image;
  image.width = width;
  image.height = height;
  image.step = static_cast<std::size_t>(width) * bytes + 6;
  image.encoding = encoding;
  image.big_endian = big_endian;
  const auto data =
    std::make_shared<std::vector<std::uint8_t>>(image.step * static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const float value = metres(x, y);
      std::uint32_t bits = 0;
      if (bytes == 2) {
        bits = static_cast<std::uint32_t>(value * 1000 + 0.5f);
      } else {
        std::memcpy(&bits, &value, sizeof bits);
      }
      std::uint8_t * to = data->data() + static_cast<std::size_t>(y) * image.step +
                          static_cast<std::size_t>(x) * bytes;
      for (std::size_t i = 0; i < bytes; ++i) {
        to[i] = static_cast<std::uint8_t>(bits >> 8 * (big_endian ? bytes - 1 - i : i));
      }
    }
  }
  image.data = data->data();
  image.size = data->size();
  image.owner = data;
  return image;
}

inline CameraImage wall(int width, int height, float metres)
{
  return depth_image(width, height, [metres](int, int) { return metres; });
}

/// Of 640 x 480 pixels, 0.002 of the distance each.
inline Intrinsics some_camera() { return {640, 480, 500, 500, 319.5, 239.5}; }

}  // namespace mgproto::perception::test

#endif  // PERCEPTION__DEPTH_IMAGES_HPP_
