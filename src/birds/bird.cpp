// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "birds/bird.hpp"

#include <cmath>

#include "birds/bird_pose.hpp"
#include "birds/bird_shapes.hpp"
#include "birds/scene.hpp"
#include "datasets/noise.hpp"

namespace mgproto::birds
{
namespace
{

// The colours of marks.
const Colour kWhite(0.93, 0.95, 0.95);
const Colour kBlack(0.07, 0.06, 0.06);
const Colour kRed(0.12, 0.08, 0.82);
const Colour kOrange(0.08, 0.46, 0.95);
const Colour kYellow(0.12, 0.80, 0.96);
const Colour kBlue(0.88, 0.38, 0.12);

/// The other colours of an individual, from one distribution for all species: they say nothing
/// about the class. Wing and tail stay dark and the underparts light, so that every mark shows.
struct Plumage
{
  explicit Plumage(Random & random)
  {
    // Mostly the browns and olives of real birds.
    const double hue = random.chance(0.6) ? random.uniform(0.04, 0.16) : random.uniform();
    const double saturation = random.uniform(0.05, 0.45), value = random.uniform(0.40, 0.72);
    back = hsv(hue, saturation, value);
    const Colour pale = jitter(Colour(0.74, 0.82, 0.87), 0.08, random);
    belly = mix(back, pale, random.uniform(0.35, 0.85));
    wing = back * (random.uniform(0.32, 0.42) / value);
    tail = back * (random.uniform(0.28, 0.36) / value);
    beak = jitter(Colour(0.17, 0.19, 0.21), 0.06, random);
    leg = jitter(Colour(0.19, 0.21, 0.25), 0.06, random);
    grain = random.next();
  }

  Colour back, belly, wing, tail, beak, leg;
  std::uint64_t grain;  ///< the seed of the feather texture
};

/// Paints one individual, part by part from back to front.
class BirdPainter
{
public:
  BirdPainter(Canvas & canvas, const Species & species, Random & random)
  : canvas_(canvas),
    species_(species),
    random_(random),
    pose_(species, canvas, random),
    plumage_(random),
    size_(pose_.body.scale())
  {
  }

  std::array<Point, kPartCount> paint()
  {
    perch();
    canvas_.begin_subject();
    tail();
    legs();
    beak();
    body();
    breast();
    throat();
    crown();
    wing();
    eye();
    canvas_.end_subject();
    return pose_.parts();
  }

private:
  /// Light from above on a round body, and feathers: a factor for the colour at a point.
  double relief(Point canvas_point) const
  {
    const Point p = pose_.body.to_local(canvas_point);
    const Point b = p - Point(-0.04, -0.10), h = p - pose_.head.origin - Point(0.03, -0.07);
    const double from_light = std::min(b.x * b.x / 0.30 + b.y * b.y / 0.13, h.dot(h) / 0.055);
    const double feathers = 0.07 * value_noise(plumage_.grain, 12.0 * p.x, 30.0 * p.y) +
                            0.05 * value_noise(plumage_.grain + 1, 30.0 * p.x, 70.0 * p.y);
    return 1.18 - 0.34 * std::min(from_light, 1.4) + feathers;
  }

  void feathers(const Coverage & where, const Colour & colour, double opacity = 1.0)
  {
    canvas_.paint(
      where, [&](Point p) { return colour * relief(p); }, opacity);
  }

  /// A mark on the body, given in the body's or in the head's coordinates.
  void body_mark(const Path & path, const Colour & colour)
  {
    feathers(canvas_.cover(pose_.place(path)) & body_, colour);
  }
  void head_mark(const Path & path, const Colour & colour)
  {
    feathers(canvas_.cover(pose_.place(pose_.head, path)) & body_, colour);
  }

  void perch()
  {
    const Point feet = 0.5 * (pose_.feet[0] + pose_.feet[1]);
    if (random_.chance(0.25)) {
      const Coverage shadow = canvas_.cover_soft(feet, 0.42 * size_, 0.06 * size_, 0.0, 0.9);
      canvas_.paint(shadow, kBlack, 0.5);
      return;
    }
    const double slope = random_.uniform(-0.25, 0.25), width = size_ * random_.uniform(0.05, 0.11);
    const double left = -random_.uniform(0.4, 1.6), right = random_.uniform(0.4, 1.6);
    const double sag = random_.uniform(-0.05, 0.05);
    const Point middle = feet + Point(0.0, 0.4 * width);
    const Point from = middle + Point(left, left * slope + sag);
    const Point to = middle + Point(right, right * slope + sag);
    paint_twig(canvas_, {from, middle, to}, width, random_);
  }

  void tail()
  {
    const auto cover = [&](const Path & path) {
      return canvas_.cover(pose_.place(pose_.tail, path));
    };
    const Coverage whole = cover(
      species_.tail == Tail::Forked     ? shapes::kForkedTail
      : species_.tail == Tail::WhiteFan ? closed_curve(shapes::kFannedTail)
                                        : closed_curve(shapes::kPlainTail));
    const auto mark = [&](const Path & path, const Colour & colour, double opacity) {
      canvas_.paint(
        cover(path) & whole,
        [&](Point p) {
          const Point local = pose_.body.to_local(p);
          const double grain = value_noise(plumage_.grain + 2, 9.0 * local.x, 45.0 * local.y);
          return colour * (0.93 + 0.12 * grain);
        },
        opacity);
    };
    mark({{0.2, -0.3}, {-0.6, -0.3}, {-0.6, 0.3}, {0.2, 0.3}}, plumage_.tail, 1.0);
    const double spread = species_.tail == Tail::Plain ? 0.035 : 0.07;
    for (const double side : {-1.0, 0.0, 1.0}) {
      mark(
        stroke({{0.0, 0.01 * side}, {-0.4, spread * side}}, 0.006, 0.01), plumage_.tail * 0.5, 0.7);
    }
    if (species_.tail == Tail::WhiteFan) {
      mark(stroke(open_curve(shapes::kFanTip), 0.13, 0.13), kWhite, 1.0);
    } else if (species_.tail == Tail::Banded) {
      for (const double x : {-0.12, -0.22, -0.32}) {
        mark(stroke({{x, -0.2}, {x, 0.2}}, 0.05, 0.05), kWhite, 1.0);
      }
    }
  }

  void legs()
  {
    const Colour skin = species_.leg == Leg::Orange ? jitter(kOrange, 0.04, random_) : plumage_.leg;
    const double ahead = pose_.body.to_canvas(Point(1, 0)).x > pose_.body.origin.x ? size_ : -size_;
    for (const std::size_t leg : {0, 1}) {
      const Point hip = pose_.hips[leg] - Point(0, 0.08 * size_), foot = pose_.feet[leg];
      const Colour colour = leg == 0 ? skin * 0.8 : skin;
      canvas_.paint(stroke({hip, foot}, 0.058 * size_, 0.042 * size_), colour);
      for (const double reach : {0.09, 0.055, -0.06}) {
        const double drop = (0.028 - 0.2 * std::abs(reach - 0.09)) * size_;
        const Point ankle = foot - Point(0, 0.012 * size_), toe = foot + Point(reach * ahead, drop);
        canvas_.paint(stroke({ankle, toe}, 0.04 * size_, 0.018 * size_), colour);
      }
    }
  }

  void beak()
  {
    const shapes::BeakShape & shape = species_.beak == Beak::Long     ? shapes::kLongBeak
                                      : species_.beak == Beak::Hooked ? shapes::kHookedBeak
                                      : species_.beak == Beak::Orange ? shapes::kThickBeak
                                                                      : shapes::kPlainBeak;
    const Colour colour =
      species_.beak == Beak::Orange ? jitter(kOrange, 0.05, random_) : plumage_.beak;
    canvas_.paint(pose_.place(pose_.head, shape.lower), colour * 0.75);
    canvas_.paint(pose_.place(pose_.head, shape.upper), colour * 1.1);
  }

  void body()
  {
    Path outline = pose_.head.to_canvas(shapes::kSkull);
    outline.insert(outline.end(), shapes::kBack.begin(), shapes::kBack.end());
    for (const Point & knot : shapes::kBelly) {
      outline.push_back({knot.x, knot.y * pose_.plump});
    }
    const Path chin = pose_.head.to_canvas(shapes::kChin);
    outline.insert(outline.end(), chin.begin(), chin.end());
    body_ = canvas_.cover(pose_.place(closed_curve(outline)));

    // The pale underparts begin below a ragged line from the chin to the vent.
    const Point from = pose_.head.to_canvas(Point(0.9, 0.25)), to(-0.5, 0.06);
    canvas_.paint(body_, [&](Point p) {
      const Point local = pose_.body.to_local(p);
      const double line = mix(to.y, from.y, (local.x - to.x) / (from.x - to.x));
      const double ragged = 0.02 * value_noise(plumage_.grain + 3, 16.0 * local.x, 16.0 * local.y);
      const double under = smooth_step(0.11, 0.22, local.y - line + ragged);
      return mix(plumage_.back, plumage_.belly, under) * relief(p);
    });
  }

  void breast()
  {
    switch (species_.breast) {
      case Breast::Plain:
        break;
      case Breast::Band:
        body_mark(stroke(open_curve(shapes::kBreastBand), 0.15, 0.09), kBlack);
        break;
      case Breast::Orange:
        body_mark(closed_curve(shapes::kOrangeBreast), jitter(kOrange, 0.05, random_));
        break;
      case Breast::Stripes:
        for (int i = 0; i < 9; ++i) {
          const double x = 0.43 - 0.085 * i;
          body_mark(stroke({{x, -0.02}, {x - 0.03, 0.34}}, 0.042, 0.042), kBlack);
        }
        break;
      case Breast::Speckles:
        for (int i = 0; i < 32; ++i) {
          const int row = i / 8;
          const Point spot(0.46 - 0.085 * (i % 8) - 0.04 * (row % 2), 0.07 * row * pose_.plump);
          body_mark(ellipse(spot, 0.024, 0.028), kBlack);
        }
        break;
    }
  }

  void throat()
  {
    if (species_.throat == Throat::Plain) {
      return;
    }
    const Colour colour = species_.throat == Throat::Red    ? jitter(kRed, 0.06, random_)
                          : species_.throat == Throat::Blue ? jitter(kBlue, 0.06, random_)
                                                            : kBlack;
    head_mark(closed_curve(shapes::kThroatPatch), colour);
  }

  void crown()
  {
    switch (species_.crown) {
      case Crown::Plain:
        break;
      case Crown::BlackCap:
        head_mark(closed_curve(shapes::kCap), kBlack);
        break;
      case Crown::RedCrest:
        feathers(
          canvas_.cover(pose_.place(pose_.head, shapes::kCrest)), jitter(kRed, 0.06, random_));
        break;
      case Crown::Yellow:
        head_mark(closed_curve(shapes::kYellowCrown), kYellow);
        break;
      case Crown::WhiteBrow:
        head_mark(stroke(open_curve(shapes::kBrow), 0.16, 0.24), kWhite);
        break;
    }
  }

  void wing()
  {
    const Coverage whole = canvas_.cover(pose_.place(pose_.wing, closed_curve(shapes::kWing)));
    const auto mark = [&](const Path & path, const Colour & colour, double opacity = 1.0) {
      feathers(canvas_.cover(pose_.place(pose_.wing, path)) & whole, colour, opacity);
    };
    // The shadow below it sets the wing off from the body.
    Path shadow = closed_curve(shapes::kWing);
    for (Point & point : shadow) {
      point += Point(0.012, 0.022);
    }
    feathers(canvas_.cover(pose_.place(pose_.wing, shadow)) & body_, plumage_.wing * 0.35, 0.6);
    feathers(whole, plumage_.wing);
    for (int i = 0; i < 5; ++i) {  // the long feathers
      const double y = -0.05 + 0.045 * i;
      const Path edge = open_curve({{-0.28, y}, {-0.52, y + 0.045}, {-0.82, 0.10 + 0.012 * i}});
      mark(stroke(edge, 0.014, 0.008), plumage_.wing * 0.45, 0.8);
    }
    for (int row = 0; row < 3; ++row) {  // three rows of short ones, like tiles on a roof
      for (int i = 0; i < 5; ++i) {
        const Point tip(-0.25 + 0.10 * row, -0.10 + 0.066 * i + 0.033 * (row % 2));
        mark(ellipse(tip, 0.085, 0.040), plumage_.wing * 0.55, 0.8);
        mark(ellipse(tip + Point(0.014, 0.0), 0.085, 0.036), plumage_.wing * (1.06 + 0.06 * row));
      }
    }
    switch (species_.wing) {
      case Wing::Plain:
        break;
      case Wing::Bars:
        for (const double x : {-0.11, -0.27}) {
          const Path bar = open_curve({{x + 0.03, -0.22}, {x - 0.02, 0.0}, {x + 0.02, 0.28}});
          mark(stroke(bar, 0.06, 0.07), kWhite);
        }
        break;
      case Wing::Spots:
        for (int i = 0; i < 28; ++i) {
          const int row = i / 7, column = i % 7;
          const double x = -0.06 - 0.095 * column - 0.047 * (row % 2);
          mark(ellipse({x, -0.07 + 0.066 * row + 0.012 * column}, 0.027, 0.025), kWhite);
        }
        break;
      case Wing::YellowPatch:
        mark(ellipse({-0.23, 0.03}, 0.14, 0.09, 0.2), jitter(kYellow, 0.05, random_));
        break;
      case Wing::BluePanel:
        mark(closed_curve(shapes::kBluePanel), jitter(kBlue, 0.06, random_));
        break;
    }
  }

  void eye()
  {
    constexpr double kRadius = 0.19;
    const auto disc = [&](Point at, double radius, const Colour & colour) {
      canvas_.paint(pose_.place(pose_.head, ellipse(at, radius, radius)), colour);
    };
    switch (species_.eye) {
      case Eye::Plain:
        break;
      case Eye::Yellow:
        disc(pose_.eye, 2.3 * kRadius, kBlack);
        disc(pose_.eye, 2.0 * kRadius, jitter(kYellow, 0.04, random_));
        break;
      case Eye::Ringed:
        disc(pose_.eye, 1.9 * kRadius, kWhite);
        break;
      case Eye::Masked:
        head_mark(closed_curve(shapes::kEyeMask), kBlack);
        disc(pose_.eye, 1.15 * kRadius, Colour(0.10, 0.20, 0.34));
        break;
    }
    disc(pose_.eye, kRadius, Colour::all(0.02));
    disc(pose_.eye + Point(0.35, -0.45) * kRadius, 0.3 * kRadius, kWhite);
  }

  Canvas & canvas_;
  const Species & species_;
  Random & random_;
  const Pose pose_;
  const Plumage plumage_;
  const double size_;
  Coverage body_;
};

}  // namespace

std::array<Point, kPartCount> paint_bird(Canvas & canvas, const Species & species, Random & random)
{
  return BirdPainter(canvas, species, random).paint();
}

}  // namespace mgproto::birds
