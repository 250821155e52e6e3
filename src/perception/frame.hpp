// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__FRAME_HPP_
#define PERCEPTION__FRAME_HPP_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "mgproto_ros/prediction.hpp"

namespace mgproto::perception
{

/// A point in time as ROS messages carry it.
struct Stamp
{
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;

  /// May be of a stamp with nanosec >= 1e9, as a broken driver sends it.
  std::int64_t nanoseconds() const { return std::int64_t{sec} * 1'000'000'000 + nanosec; }
  bool operator==(const Stamp & other) const
  {
    return sec == other.sec && nanosec == other.nanosec;
  }
};

/// The system clock's time.
inline Stamp current_stamp()
{
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  return {
    static_cast<std::int32_t>(ns / 1'000'000'000), static_cast<std::uint32_t>(ns % 1'000'000'000)};
}

struct Header
{
  Stamp stamp;
  std::string frame_id;
};

/// Pixels of a side beyond which no image is believed.
inline constexpr int kMaxSide = 65536;

/// How the bytes of a camera's image are to be read.
enum class Encoding
{
  rgb8,
  bgr8,
  rgba8,
  bgra8,
  rgb16,
  bgr16,
  mono8,
  mono16,
  bayer_rggb8,
  bayer_bggr8,
  bayer_gbrg8,
  bayer_grbg8,
  bayer_rggb16,
  bayer_bggr16,
  bayer_gbrg16,
  bayer_grbg16,
  yuv422_uyvy,
  yuv422_yuy2,
  // Behind the brightness of all pixels, the colours: of two by two pixels together in nv12, nv21 and
  // yuv420, of each pixel in nv24.
  nv12,       ///< U and V in turn
  nv21,       ///< V and U in turn
  nv24,       ///< U and V in turn
  yuv420,     ///< all U, then all V
  float32,    ///< one channel, stretched from its lowest to its highest finite value
  compressed  ///< JPEG, PNG, ...; width, height and step are not known yet
};

/// Somebody's image in memory, checked to be as large as it says, not yet converted.
struct CameraImage
{
  std::shared_ptr<const void> owner;  ///< keeps `data` alive
  const std::uint8_t * data = nullptr;
  std::size_t size = 0;  ///< bytes
  int width = 0;
  int height = 0;
  std::size_t step = 0;  ///< bytes from one row to the next
  Encoding encoding = Encoding::bgr8;
  bool big_endian = false;  ///< of 16 bits and of float32
};

/// A part of an image that a detector found.
struct Region
{
  Box box;  ///< in pixels of the source image; may reach out of it
  std::string detection_id;
  std::string detection_class{};  ///< what the detector takes it for
  double detection_score = std::numeric_limits<double>::quiet_NaN();
  std::string problem{};  ///< why it cannot be looked at; empty if it can
};

/// One image of one camera on its way to the model.
struct Frame
{
  int camera = 0;
  Header header;
  CameraImage image;
  std::chrono::steady_clock::time_point received;
  std::vector<Region> regions;  ///< empty: the whole image, unless a detector is waited for
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__FRAME_HPP_
