// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "birds/ood_subjects.hpp"
#include "datasets/noise.hpp"

namespace mgproto::birds
{
namespace
{

const Colour kTyre(0.10, 0.09, 0.09);
const Colour kRim(0.68, 0.66, 0.64);

/// Facing right in its own coordinates: about two units long, with the ground at y = 0.
class Vehicle
{
public:
  Vehicle(Canvas & canvas, Random & random)
  : canvas_(canvas),
    random_(random),
    frame_{{0, 0}, random.uniform(0.28, 0.42), random.uniform(-0.12, 0.12), random.chance(0.5)}
  {
    const double x = random.uniform(0.36, 0.64), y = random.uniform(0.52, 0.85);
    frame_.origin = {x * canvas.width(), y * canvas.height()};
    colour_ = draw_hsv({0.0, 1.0}, {0.05, 0.85}, {0.3, 0.85}, random);
    glass_ = jitter(Colour(0.62, 0.52, 0.42), 0.12, random);
  }

  void car()
  {
    ground(1.0);
    metal(closed_curve(
      {{-0.98, -0.20},
       {-0.96, -0.46},
       {-0.70, -0.54},
       {-0.50, -0.60},
       {-0.30, -0.88},
       {0.02, -0.94},
       {0.30, -0.86},
       {0.52, -0.58},
       {0.86, -0.50},
       {0.98, -0.34},
       {0.98, -0.18},
       {0.0, -0.14}}));
    glass(closed_curve({{-0.42, -0.58}, {-0.25, -0.83}, {-0.03, -0.86}, {-0.03, -0.58}}));
    glass(closed_curve({{0.04, -0.58}, {0.04, -0.86}, {0.24, -0.81}, {0.42, -0.58}}));
    line({{0.0, -0.56}, {0.0, -0.2}}, 0.02, colour_ * 0.5);
    line({{-0.95, -0.40}, {0.95, -0.38}}, 0.03, colour_ * 0.7);
    paint(ellipse({0.93, -0.40}, 0.05, 0.04), Colour(0.75, 0.92, 0.97));
    paint(ellipse({-0.95, -0.42}, 0.04, 0.04), Colour(0.10, 0.08, 0.65));
    wheel({-0.58, -0.19}, 0.19);
    wheel({0.60, -0.19}, 0.19);
  }

  void bus()
  {
    ground(1.05);
    metal(
      {{-1.05, -0.16}, {-1.05, -0.92}, {-1.0, -0.98}, {0.96, -0.98}, {1.04, -0.90}, {1.06, -0.16}});
    for (int i = 0; i < 6; ++i) {
      const double x = -0.95 + 0.32 * i;
      glass({{x, -0.56}, {x, -0.86}, {x + 0.25, -0.86}, {x + 0.25, -0.56}});
    }
    line({{-1.05, -0.42}, {1.05, -0.42}}, 0.07, mix(colour_, Colour::all(1.0), 0.6));
    wheel({-0.62, -0.17}, 0.17);
    wheel({0.66, -0.17}, 0.17);
  }

  void truck()
  {
    ground(1.05);
    paint({{-1.0, -0.16}, {-1.0, -0.28}, {1.0, -0.28}, {1.0, -0.16}}, kTyre);
    const Colour cab = colour_;
    colour_ = draw_hsv({0.0, 1.0}, {0.0, 0.6}, {0.45, 0.9}, random_);
    metal({{-1.05, -0.26}, {-1.05, -1.05}, {0.42, -1.05}, {0.42, -0.26}});
    for (int i = 1; i < 6; ++i) {
      line({{-1.05 + 0.245 * i, -1.02}, {-1.05 + 0.245 * i, -0.29}}, 0.015, colour_ * 0.75);
    }
    colour_ = cab;
    metal(
      {{0.48, -0.16}, {0.48, -0.86}, {0.80, -0.86}, {0.98, -0.52}, {1.06, -0.46}, {1.06, -0.16}});
    glass({{0.62, -0.54}, {0.62, -0.78}, {0.78, -0.78}, {0.90, -0.54}});
    for (const double x : {-0.78, -0.42, 0.76}) {
      wheel({x, -0.17}, 0.17);
    }
  }

  void bicycle()
  {
    ground(0.9);
    const Point rear(-0.55, -0.40), front(0.55, -0.40), crank(-0.08, -0.38), seat(-0.22, -0.86),
      head(0.38, -0.86);
    for (const Point & hub : {rear, front}) {
      Path outer = ellipse(hub, 0.40, 0.40), inner = ellipse(hub, 0.335, 0.335);
      // A ring: out, across, and back round the inside the other way.
      outer.push_back(outer.front());
      inner.push_back(inner.front());
      outer.insert(outer.end(), inner.rbegin(), inner.rend());
      paint(outer, kTyre);
      for (int spoke = 0; spoke < 8; ++spoke) {
        const double turn = CV_PI * spoke / 4 + 0.3;
        line({hub, hub + 0.35 * Point(std::cos(turn), std::sin(turn))}, 0.012, kRim);
      }
    }
    for (const Path & tube :
         {Path{rear, crank},
          {rear, seat},
          {crank, seat},
          {crank, head},
          {seat, head},
          {head, front}}) {
      line(tube, 0.06, colour_);
    }
    line({seat, seat + Point(-0.03, -0.12)}, 0.05, kTyre);
    line({seat + Point(-0.16, -0.13), seat + Point(0.12, -0.13)}, 0.06, kTyre);
    line({head, head + Point(-0.03, -0.14), head + Point(0.14, -0.16)}, 0.05, kTyre);
    paint(ellipse(crank, 0.09, 0.09), kTyre);
    line({crank, crank + Point(0.10, 0.16)}, 0.035, kTyre);
  }

private:
  void paint(const Path & path, const Colour & colour)
  {
    canvas_.paint(frame_.to_canvas(path), colour);
  }

  void line(const Path & path, double width, const Colour & colour)
  {
    paint(stroke(path, width, width), colour);
  }

  void ground(double half_length)
  {
    const Point middle = frame_.to_canvas(Point(0, -0.02));
    canvas_.paint(
      canvas_.cover_soft(middle, half_length * frame_.scale(), 0.10 * frame_.scale(), 0.0, 0.7),
      Colour::all(0.04), 0.6);
  }

  /// Sheet metal: bright above, dark below.
  void metal(const Path & path)
  {
    canvas_.paint(frame_.to_canvas(path), [&](Point p) {
      return colour_ * (0.72 - 0.5 * frame_.to_local(p).y);
    });
  }

  void glass(const Path & path)
  {
    canvas_.paint(frame_.to_canvas(path), [&](Point p) {
      const Point local = frame_.to_local(p);
      return mix(
        glass_, Colour::all(0.95),
        0.5 * smooth_step(0.05, 0.25, std::abs(local.x + 0.4 * local.y)));
    });
  }

  void wheel(Point hub, double radius)
  {
    paint(ellipse(hub, 1.12 * radius, 1.12 * radius), colour_ * 0.4);
    paint(ellipse(hub, radius, radius), kTyre);
    paint(ellipse(hub, 0.55 * radius, 0.55 * radius), kRim);
    paint(ellipse(hub, 0.2 * radius, 0.2 * radius), kTyre);
  }

  Canvas & canvas_;
  Random & random_;
  Frame frame_;
  Colour colour_, glass_;
};

}  // namespace

const std::vector<std::string> & vehicle_kinds()
{
  static const std::vector<std::string> kinds = {"car", "bus", "truck", "bicycle"};
  return kinds;
}

void paint_vehicle(Canvas & canvas, int kind, Random & random)
{
  Vehicle vehicle(canvas, random);
  switch (kind) {
    case 0:
      return vehicle.car();
    case 1:
      return vehicle.bus();
    case 2:
      return vehicle.truck();
    default:
      return vehicle.bicycle();
  }
}

}  // namespace mgproto::birds
