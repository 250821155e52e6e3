// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "birds/bird_pose.hpp"

#include <algorithm>

namespace mgproto::birds
{
namespace
{

constexpr double kLegLength = 0.2;
constexpr double kFootHeight = 0.03;

// Draws in braces: the arguments of a call in parentheses have no defined order.
Frame draw_head(Random & random)
{
  const Point centre{0.37 + random.uniform(-0.03, 0.05), -0.27 - random.uniform(-0.04, 0.09)};
  return {centre, 0.2 * random.uniform(0.94, 1.08), random.uniform(-0.28, 0.22), false};
}

Frame draw_tail(Random & random)
{
  return {Point(-0.44, 0.02), random.uniform(0.95, 1.1), random.uniform(-0.3, 0.2), false};
}

Frame draw_body(Random & random)
{
  return {Point(0, 0), random.uniform(0.46, 0.62), random.uniform(-0.55, 0.15), random.chance(0.5)};
}

/// Where a span of `extent` that starts at `low` has to be moved to lie inside 0 to `room`.
double draw_shift(double low, double extent, double room, Random & random)
{
  const double spare = room - extent, where = random.uniform(0.04, 0.96);
  return spare * (spare > 0.0 ? where : 0.5) - low;
}

}  // namespace

Pose::Pose(const Species & species, const Canvas & canvas, Random & random)
: body(draw_body(random)),
  head(draw_head(random)),
  wing({0.24, -0.06}, 1.0, random.uniform(-0.10, 0.12), false),
  tail(draw_tail(random)),
  plump(random.uniform(0.9, 1.15)),
  beak_length(species.beak == Beak::Long ? 2.6 : 1.6),
  eye(0.45, -0.22)
{
  const double size = body.scale();
  hips = {body.to_canvas(Point(-0.08, 0.22 * plump)), body.to_canvas(Point(0.06, 0.22 * plump))};
  const double ground = std::max(hips[0].y, hips[1].y) + kLegLength * size;
  for (std::size_t leg = 0; leg < 2; ++leg) {
    feet[leg] = {hips[leg].x + random.uniform(-0.03, 0.03) * size, ground};
  }

  Point low(0, 0), high(0, ground + kFootHeight * size);
  for (const Point & end :
       {place(head, Point(beak_length, 0.2)), place(head, Point(0.1, -1.58)),
        place(head, Point(-0.7, -1.48)), place(tail, Point(-0.52, -0.19)),
        place(tail, Point(-0.52, 0.17))}) {
    low = {std::min(low.x, end.x), std::min(low.y, end.y)};
    high = {std::max(high.x, end.x), std::max(high.y, end.y)};
  }
  const Point shift{
    draw_shift(low.x, high.x - low.x, canvas.width(), random),
    draw_shift(low.y, high.y - low.y, canvas.height(), random)};
  body.origin += shift;
  for (std::size_t leg = 0; leg < 2; ++leg) {
    hips[leg] += shift;
    feet[leg] += shift;
  }
}

std::array<Point, kPartCount> Pose::parts() const
{
  return {
    place(head, Point(0.5 + 0.45 * beak_length, 0.12)),
    place(head, eye),
    place(head, Point(0.05, -0.80)),
    place(head, Point(0.55, 0.72)),
    place(wing, Point(-0.24, 0.04)),
    body.to_canvas(Point(0.33, 0.08 * plump)),
    place(tail, Point(-0.2, 0.0)),
    0.55 * hips[1] + 0.45 * feet[1]};
}

}  // namespace mgproto::birds
