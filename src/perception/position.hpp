// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__POSITION_HPP_
#define PERCEPTION__POSITION_HPP_

#include <array>
#include <optional>

#include "mgproto_ros/prediction.hpp"
#include "perception/frame.hpp"

namespace mgproto::perception
{

/// How a camera projects: a pinhole without distortion, in pixels of an image of this size.
struct Intrinsics
{
  int width = 0;  ///< 0: of whatever size the image has
  int height = 0;
  double fx = 0;
  double fy = 0;
  double cx = 0;  ///< the optical axis, counted from the middle of the first pixel
  double cy = 0;
};

/// For an image of another size of the same shape; nothing if the shape differs by more than a
/// pixel.
std::optional<Intrinsics> scaled_to(const Intrinsics & camera, int width, int height);

/// Where something is, in metres in the camera's optical frame: x to the right, y down, z forward.
/// It is the point of its surface that the middle of its box shows.
struct Position
{
  double x = 0;
  double y = 0;
  double z = 0;
  std::array<double, 9> covariance{};  ///< of x, y and z, row by row
  double width = 0;                    ///< of the box, at this depth
  double height = 0;
  double thickness = 0;  ///< of the surface that is seen: four standard deviations of the depth
};

/// The position of a box, which must lie within the image that `camera` is of. The depth is the
/// median over the box's middle half, each way, where what it is around fills it most (of two
/// surfaces that fill it equally the nearer one); the standard deviation of the depth 1.4826 times
/// the median distance from it, at least a millimetre, and that of a pixel's place the one of a
/// place anywhere in that middle half.
///
/// `depth` is aligned with the image, of its size or another one of its shape, as millimetres of 16
/// bits or metres of 32. What is 0, 65535, not a number, infinite or beyond `farthest` metres is no
/// depth. Nothing if fewer than a tenth of the pixels have one, or if the sizes do not fit.
std::optional<Position> position_of(
  const Box & box, const Intrinsics & camera, const CameraImage & depth, double farthest);

}  // namespace mgproto::perception

#endif  // PERCEPTION__POSITION_HPP_
