// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BIRDS__PICTURE_HPP_
#define BIRDS__PICTURE_HPP_

#include <array>
#include <opencv2/core.hpp>

#include "birds/species.hpp"
#include "model/random.hpp"

namespace mgproto::birds
{

struct Picture
{
  /// x and y in pixels, also where the part is hidden or outside the picture.
  struct Part
  {
    double x = 0.0, y = 0.0;
    bool visible = false;
  };

  cv::Mat image;  ///< 8-bit BGR
  cv::Mat mask;   ///< 8-bit, 255 where the bird can be seen
  std::array<Part, kPartCount> parts;
  cv::Rect box;  ///< around the mask
};

/// One individual in its surroundings. The drawing does not depend on the size, except for the
/// sensor noise: the same random state gives the same bird at 96 and at 640 pixels.
Picture draw_bird(const Species & species, int size, Random & random);
Picture draw_bird(const Species & species, int width, int height, Random & random);

enum class SceneKind
{
  SeenBird,
  UnseenBird,
  Vehicle,
  Texture
};

/// One picture without annotations. `index` is the row of the species table, or the kind of vehicle
/// or texture (see vehicle_kinds(), texture_kinds()).
cv::Mat draw_scene(SceneKind kind, int index, int width, int height, Random & random);

}  // namespace mgproto::birds

#endif  // BIRDS__PICTURE_HPP_
