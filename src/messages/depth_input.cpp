// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/depth_input.hpp"

#include <cmath>
#include <cstdint>
#include <string>

#include "messages/header.hpp"
#include "messages/image_input.hpp"
#include "model/printable.hpp"

namespace mgproto::messages
{
namespace
{

using perception::Encoding;
using perception::Intrinsics;

/// Pixels of the sensor from `offset` on, `binning` of which are one of the image.
void move_axis(std::uint32_t offset, std::uint32_t binning, double & focal, double & centre)
{
  const double pixels = binning == 0 ? 1 : binning;
  focal /= pixels;
  centre = (centre - offset + 0.5) / pixels - 0.5;
}

/// Sides of the image that is sent; 0 if the camera does not say.
std::uint32_t side(std::uint32_t whole, std::uint32_t part, std::uint32_t binning)
{
  return (part == 0 ? whole : part) / (binning == 0 ? 1 : binning);
}

}  // namespace

perception::DepthImage read_depth(const std::shared_ptr<const sensor_msgs::msg::Image> & message)
{
  ImageRules rules;
  rules.allow_depth = true;
  perception::DepthImage depth;
  depth.image = view(message, rules);
  if (depth.image.encoding != Encoding::mono16 && depth.image.encoding != Encoding::float32) {
    throw InvalidMessage(
      "depth encoding",
      "depth image of encoding \"" + printable(message->encoding) + "\", expected 16UC1 or 32FC1");
  }
  depth.header = read_header(message->header);
  return depth;
}

std::optional<Intrinsics> read_intrinsics(const sensor_msgs::msg::CameraInfo & message)
{
  Intrinsics camera;
  camera.fx = message.k[0];
  camera.cx = message.k[2];
  camera.fy = message.k[4];
  camera.cy = message.k[5];
  move_axis(message.roi.x_offset, message.binning_x, camera.fx, camera.cx);
  move_axis(message.roi.y_offset, message.binning_y, camera.fy, camera.cy);
  const std::uint32_t width = side(message.width, message.roi.width, message.binning_x);
  const std::uint32_t height = side(message.height, message.roi.height, message.binning_y);
  const bool is_camera = std::isfinite(camera.fx) && std::isfinite(camera.fy) && camera.fx > 0 &&
                         camera.fy > 0 && std::isfinite(camera.cx) && std::isfinite(camera.cy);
  if (
    !is_camera || width > perception::kMaxSide || height > perception::kMaxSide ||
    (width == 0) != (height == 0)) {
    return std::nullopt;
  }
  camera.width = static_cast<int>(width);
  camera.height = static_cast<int>(height);
  return camera;
}

void add_depth(
  perception::Perception & perception, int camera,
  const std::shared_ptr<const sensor_msgs::msg::Image> & message)
{
  try {
    perception.add_depth(camera, read_depth(message));
  } catch (const InvalidMessage & error) {
    perception.reject(camera, "depth " + error.kind(), error.what());
  }
}

}  // namespace mgproto::messages
