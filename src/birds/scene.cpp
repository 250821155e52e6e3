// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "birds/scene.hpp"

#include <cmath>
#include <iterator>

#include "datasets/noise.hpp"

namespace mgproto::birds
{
namespace
{

struct Palette
{
  Colour top, bottom, accent;
};

Palette draw_palette(Random & random)
{
  static const Palette kPalettes[] = {
    {{0.90, 0.72, 0.52}, {0.95, 0.90, 0.82}, {0.98, 0.97, 0.95}},  // sky
    {{0.20, 0.34, 0.22}, {0.26, 0.52, 0.36}, {0.45, 0.75, 0.60}},  // woods
    {{0.45, 0.78, 0.66}, {0.25, 0.55, 0.42}, {0.35, 0.85, 0.90}},  // meadow
    {{0.25, 0.45, 0.65}, {0.15, 0.30, 0.48}, {0.20, 0.60, 0.88}},  // autumn
    {{0.60, 0.45, 0.55}, {0.45, 0.60, 0.90}, {0.55, 0.75, 0.98}},  // dusk
    {{0.80, 0.78, 0.74}, {0.70, 0.66, 0.62}, {0.92, 0.92, 0.92}},  // winter
    {{0.55, 0.42, 0.22}, {0.42, 0.32, 0.18}, {0.75, 0.65, 0.40}},  // water
    {{0.22, 0.28, 0.34}, {0.30, 0.40, 0.50}, {0.42, 0.52, 0.60}},  // earth
  };
  Palette palette;
  if (random.chance(0.2)) {
    const double hue = random.uniform();
    palette.top = draw_hsv({hue, hue}, {0.2, 0.7}, {0.4, 0.9}, random);
    palette.bottom = draw_hsv({hue - 0.2, hue + 0.2}, {0.4, 0.6}, {0.3, 0.8}, random);
    palette.accent = draw_hsv({0.0, 1.0}, {0.4, 0.6}, {0.4, 0.9}, random);
  } else {
    palette = kPalettes[random.index(static_cast<int>(std::size(kPalettes)))];
  }
  palette.top = jitter(palette.top, 0.10, random);
  palette.bottom = jitter(palette.bottom, 0.10, random);
  palette.accent = jitter(palette.accent, 0.10, random);
  if (random.chance(0.3)) {
    std::swap(palette.top, palette.bottom);
  }
  return palette;
}

Point anywhere(const Canvas & canvas, double margin, Random & random)
{
  const double x = random.uniform(-margin, canvas.width() + margin);
  return {x, random.uniform(-margin, canvas.height() + margin)};
}

void gradient(Canvas & canvas, const Palette & palette, Random & random)
{
  const double angle = random.uniform(-0.5, 0.5), c = std::cos(angle), s = std::sin(angle);
  const double bumps = random.uniform(1.5, 7.0), strength = random.uniform(0.0, 0.6);
  const std::uint64_t seed = random.next();
  canvas.paint(canvas.cover_all(), [&](Point p) {
    const double t = smooth_step(0.0, 1.0, c * p.y / canvas.height() + s * p.x);
    const double cloud = cloud_noise(seed, bumps * p.x, bumps * p.y, 3);
    const Colour base = mix(palette.top, palette.bottom, t);
    return mix(base, palette.accent, strength * smooth_step(-0.3, 0.7, cloud));
  });
}

/// Lights out of focus.
void bokeh(Canvas & canvas, const Palette & palette, Random & random)
{
  const int count = 8 + random.index(18);
  for (int i = 0; i < count; ++i) {
    const Point at = anywhere(canvas, 0.1, random);
    const double radius = random.uniform(0.04, 0.16);
    const Colour colour = jitter(mix(palette.accent, Colour::all(1.0), 0.3), 0.1, random);
    canvas.paint(
      canvas.cover_soft(at, radius, radius, 0.0, 0.35), colour, random.uniform(0.1, 0.35));
  }
}

/// Leaves out of focus.
void foliage(Canvas & canvas, const Palette & palette, Random & random)
{
  const int count = 25 + random.index(35);
  for (int i = 0; i < count; ++i) {
    const Point at = anywhere(canvas, 0.1, random);
    const double length = random.uniform(0.06, 0.2), width = length * random.uniform(0.3, 0.6);
    const double angle = random.uniform(0.0, CV_PI);
    const Colour base = random.chance(0.5) ? palette.bottom : palette.accent;
    const Colour colour = jitter(base * random.uniform(0.5, 1.2), 0.08, random);
    const double softness = random.uniform(0.5, 1.0);
    canvas.paint(
      canvas.cover_soft(at, length, width, angle, softness), colour, random.uniform(0.3, 0.8));
  }
}

/// Reeds, grass or trunks out of focus.
void stems(Canvas & canvas, const Palette & palette, Random & random)
{
  const int count = 6 + random.index(16);
  for (int i = 0; i < count; ++i) {
    const Point at = anywhere(canvas, 0.1, random);
    const double width = random.uniform(0.01, 0.05), lean = random.uniform(-0.25, 0.25);
    const Colour base = random.chance(0.6) ? palette.accent : palette.top * 0.6;
    const Colour colour = jitter(base, 0.08, random);
    const double length = random.uniform(0.3, 0.9), softness = random.uniform(0.6, 1.0);
    canvas.paint(
      canvas.cover_soft(at, length, width, 0.5 * CV_PI + lean, softness), colour,
      random.uniform(0.3, 0.8));
  }
}

/// A ragged horizon with the ground below it.
void hills(Canvas & canvas, const Palette & palette, Random & random)
{
  const double horizon = random.uniform(0.45, 0.85), rough = random.uniform(0.02, 0.15);
  const double blur = random.uniform(0.01, 0.08), bumps = random.uniform(2.0, 10.0);
  const std::uint64_t seed = random.next();
  const Colour ground = jitter(palette.bottom * random.uniform(0.5, 0.9), 0.08, random);
  Coverage below = canvas.cover_all();
  for (int y = 0; y < below.box.height; ++y) {
    for (int x = 0; x < below.box.width; ++x) {
      const Point p((x + 0.5) * canvas.pixel(), (y + 0.5) * canvas.pixel());
      const double edge = horizon + rough * cloud_noise(seed, bumps * p.x, 0.0, 3);
      below.alpha[static_cast<std::size_t>(y) * below.box.width + x] =
        smooth_step(edge - blur, edge + blur, p.y);
    }
  }
  canvas.paint(below, [&](Point p) {
    return ground * (1.0 + 0.25 * cloud_noise(seed + 9, 6.0 * p.x, 14.0 * p.y, 3));
  });
}

void leaf(Canvas & canvas, Random & random)
{
  static const Colour kLeaves[] = {
    {0.18, 0.48, 0.30}, {0.16, 0.38, 0.22}, {0.25, 0.62, 0.48}, {0.16, 0.36, 0.55},
    {0.14, 0.42, 0.66}, {0.14, 0.24, 0.36}, {0.40, 0.56, 0.62},
  };
  const Point at = anywhere(canvas, 0.05, random);
  const double length = random.uniform(0.09, 0.22), width = length * random.uniform(0.22, 0.42);
  const Frame frame(at, 1.0, random.uniform(0.0, 2.0 * CV_PI), false);
  const double bend = random.uniform(-0.12, 0.12) * length;
  const Path blade = closed_curve(
    {{-0.5 * length, 0.0},
     {-0.2 * length, bend - 0.46 * width},
     {0.15 * length, bend - 0.40 * width},
     {0.5 * length, 0.0},
     {0.15 * length, bend + 0.40 * width},
     {-0.2 * length, bend + 0.46 * width}});
  const Path rib = stroke(
    open_curve({{-0.7 * length, 0.0}, {0.0, bend}, {0.45 * length, 0.0}}), 0.10 * width,
    0.04 * width);
  const Colour colour =
    jitter(kLeaves[random.index(static_cast<int>(std::size(kLeaves)))], 0.08, random);
  // One half of the blade catches more light than the other.
  canvas.paint(frame.to_canvas(blade), [&](Point p) {
    const Point local = frame.to_local(p);
    return colour * (1.0 + 0.22 * smooth_step(-0.05 * width, 0.05 * width, local.y - 0.6 * bend));
  });
  canvas.paint(frame.to_canvas(rib), colour * 0.7, 0.8);
}

void twig(Canvas & canvas, Random & random)
{
  const Point middle = anywhere(canvas, 0.0, random);
  const double angle = random.uniform(0.0, CV_PI), reach = random.uniform(0.2, 0.6);
  const Point along(std::cos(angle) * reach, std::sin(angle) * reach);
  const Point bent = middle + random.uniform(-0.15, 0.15) * Point(-along.y, along.x);
  paint_twig(canvas, {middle - along, bent, middle + along}, random.uniform(0.010, 0.028), random);
}

/// The colours of these are the colours of throats and crests: red alone must prove nothing.
void berries(Canvas & canvas, Random & random)
{
  static const Colour kBerries[] = {
    {0.12, 0.10, 0.80},
    {0.10, 0.45, 0.92},
    {0.14, 0.80, 0.94},
    {0.55, 0.25, 0.20},
    {0.12, 0.10, 0.14}};
  const Point at = anywhere(canvas, 0.0, random);
  const Colour colour =
    jitter(kBerries[random.index(static_cast<int>(std::size(kBerries)))], 0.06, random);
  const int count = 1 + random.index(4);
  for (int i = 0; i < count; ++i) {
    const double dx = random.uniform(-0.05, 0.05), dy = random.uniform(-0.05, 0.05);
    const double radius = random.uniform(0.016, 0.030);
    const Point centre = at + Point(dx, dy);
    canvas.paint(ellipse(centre, radius, radius), [&](Point p) {
      return colour * (1.0 - 0.35 * (p.y - centre.y) / radius);
    });
    canvas.paint(
      ellipse(centre - Point(0.3 * radius, 0.4 * radius), 0.25 * radius, 0.2 * radius),
      Colour::all(0.95), 0.7);
  }
}

}  // namespace

void paint_background(Canvas & canvas, Random & random)
{
  const Palette palette = draw_palette(random);
  gradient(canvas, palette, random);
  switch (random.index(6)) {
    case 0:
      bokeh(canvas, palette, random);
      break;
    case 1:
      foliage(canvas, palette, random);
      break;
    case 2:
      stems(canvas, palette, random);
      break;
    case 3:
      hills(canvas, palette, random);
      break;
    case 4:
      foliage(canvas, palette, random);
      bokeh(canvas, palette, random);
      break;
    default:
      break;
  }
}

void paint_twig(Canvas & canvas, const Path & knots, double width, Random & random)
{
  const Colour bark = draw_hsv({0.04, 0.12}, {0.2, 0.5}, {0.18, 0.42}, random);
  const std::uint64_t grain = random.next();
  const Path line = open_curve(knots);
  canvas.paint(stroke(line, width, 0.45 * width), [&](Point p) {
    return bark * (0.85 + 0.25 * value_noise(grain, 30.0 * p.x, 30.0 * p.y));
  });
  // Light along the upper side.
  Path upper = line;
  for (Point & point : upper) {
    point.y -= 0.22 * width;
  }
  canvas.paint(stroke(upper, 0.3 * width, 0.15 * width), bark * 1.7, 0.6);
}

void paint_clutter(Canvas & canvas, int amount, Random & random)
{
  for (int i = random.index(amount + 1); i > 0; --i) {
    twig(canvas, random);
  }
  for (int i = random.index(amount + 1); i > 0; --i) {
    leaf(canvas, random);
  }
  for (int i = random.index(amount + 1); i > 1; --i) {
    berries(canvas, random);
  }
}

cv::Mat develop(const Canvas & canvas, Random & random)
{
  const double gain = random.uniform(0.75, 1.15), warmth = random.uniform(-0.08, 0.08);
  const double haze = random.uniform(0.0, 0.18), vignette = random.uniform(0.0, 0.35);
  const Colour light(gain * (1.0 - warmth), gain, gain * (1.0 + warmth));
  const double angle = random.uniform(0.0, 2.0 * CV_PI), slope = random.uniform(0.0, 0.3);
  const Point direction(slope * std::cos(angle), slope * std::sin(angle));
  const double noise = random.uniform(0.0, 0.035);

  cv::Mat image(canvas.pixels.size(), CV_8UC3);
  const Point centre(0.5 * canvas.width(), 0.5 * canvas.height());
  for (int y = 0; y < image.rows; ++y) {
    for (int x = 0; x < image.cols; ++x) {
      const Point p = Point((x + 0.5) * canvas.pixel(), (y + 0.5) * canvas.pixel()) - centre;
      const double local = 1.0 + p.dot(direction) - vignette * p.dot(p);
      const Colour seen = mix(canvas.pixels(y, x), Colour::all(0.6), haze);
      for (int channel = 0; channel < 3; ++channel) {
        const double value = seen[channel] * light[channel] * local + noise * random.normal();
        image.at<cv::Vec3b>(y, x)[channel] = cv::saturate_cast<uchar>(255.0 * value);
      }
    }
  }
  return image;
}

}  // namespace mgproto::birds
