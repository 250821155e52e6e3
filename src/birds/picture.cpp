// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "birds/picture.hpp"

#include <opencv2/imgproc.hpp>

#include "birds/bird.hpp"
#include "birds/ood_subjects.hpp"
#include "birds/scene.hpp"

namespace mgproto::birds
{
namespace
{

constexpr int kClutterBehind = 4;
constexpr int kClutterInFront = 4;

}  // namespace

Picture draw_bird(const Species & species, int size, Random & random)
{
  return draw_bird(species, size, size, random);
}

Picture draw_bird(const Species & species, int width, int height, Random & random)
{
  Canvas canvas(width, height);
  paint_background(canvas, random);
  paint_clutter(canvas, kClutterBehind, random);
  const std::array<Point, kPartCount> parts = paint_bird(canvas, species, random);
  paint_clutter(canvas, kClutterInFront, random);

  Picture picture;
  picture.image = develop(canvas, random);
  picture.mask = canvas.mask();
  for (int i = 0; i < kPartCount; ++i) {
    const Point pixel = parts[i] / canvas.pixel();
    picture.parts[i] = {pixel.x, pixel.y, !canvas.hidden(parts[i])};
  }
  picture.box = cv::boundingRect(picture.mask);
  return picture;
}

cv::Mat draw_scene(SceneKind kind, int index, int width, int height, Random & random)
{
  Canvas canvas(width, height);
  switch (kind) {
    case SceneKind::SeenBird:
      return draw_bird(seen_species().at(index), width, height, random).image;
    case SceneKind::UnseenBird:
      return draw_bird(unseen_species().at(index), width, height, random).image;
    case SceneKind::Vehicle:
      paint_background(canvas, random);
      paint_clutter(canvas, kClutterBehind, random);
      paint_vehicle(canvas, index, random);
      paint_clutter(canvas, kClutterInFront, random);
      break;
    case SceneKind::Texture:
      paint_texture(canvas, index, random);
      break;
  }
  return develop(canvas, random);
}

}  // namespace mgproto::birds
