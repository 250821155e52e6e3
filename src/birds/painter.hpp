// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BIRDS__PAINTER_HPP_
#define BIRDS__PAINTER_HPP_

#include <algorithm>
#include <opencv2/core.hpp>
#include <type_traits>
#include <vector>

#include "datasets/noise.hpp"
#include "model/random.hpp"

namespace mgproto::birds
{

// Geometry is in units of the shorter side of the picture, y down, so a drawing looks the same at
// any size. All arithmetic is in double and only the last step rounds to 8 bits: what processors
// and maths libraries do differently in the last bit of a double (sin, cos, fused multiply-add) is
// some 10^13 times smaller than that step.

using Colour = cv::Vec3d;  ///< blue, green, red; 0 to 1
using Point = cv::Point2d;
using Path = std::vector<Point>;

/// hue in turns; saturation and value 0 to 1.
Colour hsv(double hue, double saturation, double value);
using mgproto::mix;  // of numbers
Colour mix(const Colour & a, const Colour & b, double t);
struct Range
{
  double low, high;
};
Colour draw_hsv(Range hue, Range saturation, Range value, Random & random);
/// The colour with each channel moved by up to `amount`.
Colour jitter(const Colour & colour, double amount, Random & random);

/// A smooth curve through the knots (Catmull-Rom).
Path closed_curve(const Path & knots);
Path open_curve(const Path & knots);
Path ellipse(Point centre, double radius_x, double radius_y, double angle = 0.0);
/// The outline of a line whose width runs evenly from `start_width` to `end_width`.
Path stroke(const Path & line, double start_width, double end_width);

/// Where a drawing stands in the picture: its own coordinates are mirrored, then turned, scaled
/// and moved. Turning is counted before mirroring, so a tilt looks the same facing left and right.
class Frame
{
public:
  Frame(Point origin, double scale, double angle, bool mirrored);
  Point to_canvas(Point local) const;
  Point to_local(Point canvas) const;
  Path to_canvas(Path path) const;
  double scale() const { return scale_; }
  Point origin;

private:
  double scale_, cos_, sin_, side_;
};

/// How much of each pixel a shape covers, 0 to 1, inside its bounding box.
struct Coverage
{
  cv::Rect box;
  std::vector<double> alpha;
  double at(int x, int y) const
  {
    const std::size_t row = static_cast<std::size_t>(y - box.y);
    return alpha[row * static_cast<std::size_t>(box.width) + static_cast<std::size_t>(x - box.x)];
  }
};

/// What both cover.
Coverage operator&(const Coverage & a, const Coverage & b);

/// A picture being painted, back to front. It keeps apart what belongs to the subject (the bird)
/// and what is painted over the subject afterwards.
class Canvas
{
public:
  Canvas(int width, int height);

  double width() const { return pixels.cols / unit_; }
  double height() const { return pixels.rows / unit_; }
  /// The size of a pixel.
  double pixel() const { return 1.0 / unit_; }

  /// The exact area of each pixel inside the path, which must not cross itself.
  Coverage cover(const Path & path) const;
  /// An ellipse whose edge fades over the outer part `softness` (0 to 1) of its radius.
  Coverage cover_soft(
    Point centre, double radius_x, double radius_y, double angle, double softness) const;
  Coverage cover_all() const;

  /// `paint` is a colour or a function of the position that returns one.
  template <typename Paint>
  void paint(const Coverage & coverage, const Paint & paint, double opacity = 1.0)
  {
    const cv::Rect & box = coverage.box;
    const double * alpha = coverage.alpha.data();
    for (int y = box.y; y < box.y + box.height; ++y) {
      for (int x = box.x; x < box.x + box.width; ++x, ++alpha) {
        if (*alpha > 0.0) {
          blend(x, y, colour_at(paint, x, y), *alpha * opacity);
        }
      }
    }
  }

  template <typename Paint>
  void paint(const Path & path, const Paint & colour, double opacity = 1.0)
  {
    paint(cover(path), colour, opacity);
  }

  /// What is painted between the two is the subject; what comes later hides it.
  void begin_subject();
  void end_subject() { painting_subject_ = false; }

  /// Outside the picture, or behind something painted after the subject.
  bool hidden(Point point) const;
  /// 255 where the subject can be seen, else 0.
  cv::Mat mask() const;

  cv::Mat_<Colour> pixels;

private:
  template <typename Paint>
  Colour colour_at(const Paint & paint, int x, int y) const
  {
    if constexpr (std::is_convertible_v<Paint, Colour>) {
      return paint;
    } else {
      return paint(Point((x + 0.5) / unit_, (y + 0.5) / unit_));
    }
  }

  void blend(int x, int y, const Colour & colour, double alpha)
  {
    Colour & pixel = pixels(y, x);
    pixel += (colour - pixel) * alpha;
    double & hidden = hidden_(y, x);
    if (painting_subject_) {
      double & subject = subject_(y, x);
      subject += (1.0 - subject) * alpha;
      hidden -= hidden * alpha;
    } else {
      hidden += (1.0 - hidden) * alpha;
    }
  }

  double unit_;
  bool painting_subject_ = false;
  cv::Mat_<double> subject_, hidden_;
};

}  // namespace mgproto::birds

#endif  // BIRDS__PAINTER_HPP_
