// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "birds/painter.hpp"

#include <cmath>

#include "datasets/noise.hpp"

namespace mgproto::birds
{
namespace
{

constexpr int kCurveSteps = 10;

Point catmull_rom(Point a, Point b, Point c, Point d, double t)
{
  const double t2 = t * t, t3 = t2 * t;
  return 0.5 * (2.0 * b + (c - a) * t + (2.0 * a - 5.0 * b + 4.0 * c - d) * t2 +
                (3.0 * b - a - 3.0 * c + d) * t3);
}

/// Adds the edge to the signed-area buffer: a running sum along each row gives the coverage.
void add_edge(std::vector<double> & area, const cv::Rect & box, Point from, Point to)
{
  const double direction = from.y < to.y ? 1.0 : -1.0;
  if (direction < 0.0) {
    std::swap(from, to);
  }
  const double slope = (to.x - from.x) / (to.y - from.y);
  const double top = std::max(from.y, 0.0), bottom = std::min<double>(to.y, box.height);
  for (int row = static_cast<int>(top); row < bottom; ++row) {
    const double y0 = std::max<double>(row, top), y1 = std::min<double>(row + 1, bottom);
    const double height = direction * (y1 - y0);
    const double xa = std::clamp<double>(from.x + (y0 - from.y) * slope, 0.0, box.width);
    const double xb = std::clamp<double>(from.x + (y1 - from.y) * slope, 0.0, box.width);
    const double left = std::min(xa, xb), right = std::max(xa, xb);
    double * cells = area.data() + static_cast<std::size_t>(row) * (box.width + 2);
    const int first = static_cast<int>(left), last = static_cast<int>(right);
    if (first == last) {
      const double outside = 0.5 * (left + right) - first;
      cells[first] += height * (1.0 - outside);
      cells[first + 1] += height * outside;
      continue;
    }
    // Covered area to the right of the edge, cell by cell: its differences go into the buffer.
    double covered = 0.0;
    for (int cell = first; cell <= last; ++cell) {
      const double x0 = std::max<double>(cell, left), x1 = std::min<double>(cell + 1, right);
      const double at_x0 = (x0 - left) / (right - left), at_x1 = (x1 - left) / (right - left);
      const double here = 0.5 * (at_x0 + at_x1) * (x1 - x0) + at_x1 * (cell + 1 - x1);
      cells[cell] += height * (here - covered);
      covered = here;
    }
    cells[last + 1] += height * (1.0 - covered);
  }
}

}  // namespace

Colour hsv(double hue, double saturation, double value)
{
  const auto channel = [&](double shift) {
    double k = shift + 6.0 * hue;
    k -= 6.0 * std::floor(k / 6.0);
    return value * (1.0 - saturation * std::clamp(std::min(k, 4.0 - k), 0.0, 1.0));
  };
  return {channel(1.0), channel(3.0), channel(5.0)};
}

Colour mix(const Colour & a, const Colour & b, double t) { return a + (b - a) * t; }

Colour draw_hsv(Range hue, Range saturation, Range value, Random & random)
{
  const double h = random.uniform(hue.low, hue.high);
  const double s = random.uniform(saturation.low, saturation.high);
  return hsv(h, s, random.uniform(value.low, value.high));
}

Colour jitter(const Colour & colour, double amount, Random & random)
{
  Colour moved;
  for (int channel = 0; channel < 3; ++channel) {
    moved[channel] = std::clamp(colour[channel] + random.uniform(-amount, amount), 0.0, 1.0);
  }
  return moved;
}

Path closed_curve(const Path & knots)
{
  const std::size_t count = knots.size();
  Path curve;
  curve.reserve(count * kCurveSteps);
  for (std::size_t i = 0; i < count; ++i) {
    for (int step = 0; step < kCurveSteps; ++step) {
      curve.push_back(catmull_rom(
        knots[(i + count - 1) % count], knots[i], knots[(i + 1) % count], knots[(i + 2) % count],
        static_cast<double>(step) / kCurveSteps));
    }
  }
  return curve;
}

Path open_curve(const Path & knots)
{
  const std::size_t last = knots.size() - 1;
  Path curve;
  curve.reserve(last * kCurveSteps + 1);
  for (std::size_t i = 0; i < last; ++i) {
    for (int step = 0; step < kCurveSteps; ++step) {
      curve.push_back(catmull_rom(
        knots[i == 0 ? 0 : i - 1], knots[i], knots[i + 1], knots[std::min(i + 2, last)],
        static_cast<double>(step) / kCurveSteps));
    }
  }
  curve.push_back(knots[last]);
  return curve;
}

Path ellipse(Point centre, double radius_x, double radius_y, double angle)
{
  constexpr int kCorners = 40;
  const Frame frame(centre, 1.0, angle, false);
  Path path;
  path.reserve(kCorners);
  for (int i = 0; i < kCorners; ++i) {
    const double turn = 2.0 * CV_PI * i / kCorners;
    path.push_back(frame.to_canvas(Point(radius_x * std::cos(turn), radius_y * std::sin(turn))));
  }
  return path;
}

Path stroke(const Path & line, double start_width, double end_width)
{
  const std::size_t last = line.size() - 1;
  Path left, right;
  for (std::size_t i = 0; i <= last; ++i) {
    const Point along = line[std::min(i + 1, last)] - line[i == 0 ? 0 : i - 1];
    const double length = std::max(std::sqrt(along.dot(along)), 1e-9);
    const double half = 0.5 * mix(start_width, end_width, static_cast<double>(i) / last);
    const Point across(-along.y * half / length, along.x * half / length);
    left.push_back(line[i] + across);
    right.push_back(line[i] - across);
  }
  left.insert(left.end(), right.rbegin(), right.rend());
  return left;
}

Frame::Frame(Point at, double scale, double angle, bool mirrored)
: origin(at), scale_(scale), cos_(std::cos(angle)), sin_(std::sin(angle)), side_(mirrored ? -1 : 1)
{
}

Point Frame::to_canvas(Point local) const
{
  const double x = cos_ * local.x - sin_ * local.y, y = sin_ * local.x + cos_ * local.y;
  return {origin.x + scale_ * side_ * x, origin.y + scale_ * y};
}

Point Frame::to_local(Point canvas) const
{
  const double x = side_ * (canvas.x - origin.x) / scale_, y = (canvas.y - origin.y) / scale_;
  return {cos_ * x + sin_ * y, cos_ * y - sin_ * x};
}

Path Frame::to_canvas(Path path) const
{
  for (Point & point : path) {
    point = to_canvas(point);
  }
  return path;
}

Coverage operator&(const Coverage & a, const Coverage & b)
{
  Coverage both{a.box & b.box, {}};
  both.alpha.reserve(static_cast<std::size_t>(both.box.area()));
  for (int y = both.box.y; y < both.box.y + both.box.height; ++y) {
    for (int x = both.box.x; x < both.box.x + both.box.width; ++x) {
      both.alpha.push_back(a.at(x, y) * b.at(x, y));
    }
  }
  return both;
}

Canvas::Canvas(int width, int height)
: pixels(height, width, Colour::all(0.5)),
  unit_(std::min(width, height)),
  subject_(height, width, 0.0),
  hidden_(height, width, 0.0)
{
}

Coverage Canvas::cover(const Path & path) const
{
  Point low(1e9, 1e9), high(-1e9, -1e9);
  for (const Point & point : path) {
    low = {std::min(low.x, point.x), std::min(low.y, point.y)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y)};
  }
  const cv::Point first(cvFloor(low.x * unit_), cvFloor(low.y * unit_));
  const cv::Point last(cvFloor(high.x * unit_) + 1, cvFloor(high.y * unit_) + 1);
  Coverage coverage{cv::Rect(first, last) & cv::Rect(0, 0, pixels.cols, pixels.rows), {}};
  const cv::Rect & box = coverage.box;
  if (box.empty()) {
    return {};
  }
  // Two more cells a row, so that edges at the right border need no special case.
  std::vector<double> area(static_cast<std::size_t>(box.height) * (box.width + 2), 0.0);
  const Point corner(box.x, box.y);
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Point from = path[i] * unit_ - corner, to = path[(i + 1) % path.size()] * unit_ - corner;
    if (from.y != to.y) {
      add_edge(area, box, from, to);
    }
  }
  coverage.alpha.reserve(static_cast<std::size_t>(box.area()));
  for (int y = 0; y < box.height; ++y) {
    const double * cells = area.data() + static_cast<std::size_t>(y) * (box.width + 2);
    double sum = 0.0;
    for (int x = 0; x < box.width; ++x) {
      sum += cells[x];
      const double alpha = std::min(std::abs(sum), 1.0);
      coverage.alpha.push_back(alpha < 1e-9 ? 0.0 : alpha);
    }
  }
  return coverage;
}

Coverage Canvas::cover_soft(
  Point centre, double radius_x, double radius_y, double angle, double softness) const
{
  const double reach = std::max(radius_x, radius_y);
  const cv::Point first(cvFloor((centre.x - reach) * unit_), cvFloor((centre.y - reach) * unit_));
  const cv::Point last(
    cvFloor((centre.x + reach) * unit_) + 1, cvFloor((centre.y + reach) * unit_) + 1);
  Coverage coverage{cv::Rect(first, last) & cv::Rect(0, 0, pixels.cols, pixels.rows), {}};
  const cv::Rect & box = coverage.box;
  const Frame frame(centre, 1.0, angle, false);
  coverage.alpha.reserve(static_cast<std::size_t>(box.area()));
  for (int y = box.y; y < box.y + box.height; ++y) {
    for (int x = box.x; x < box.x + box.width; ++x) {
      const Point p = frame.to_local(Point((x + 0.5) / unit_, (y + 0.5) / unit_));
      const double qx = p.x / radius_x, qy = p.y / radius_y, q = qx * qx + qy * qy;
      coverage.alpha.push_back(q < 1.0 ? smooth_step(1.0, 1.0 - softness, std::sqrt(q)) : 0.0);
    }
  }
  return coverage;
}

Coverage Canvas::cover_all() const
{
  return {cv::Rect(0, 0, pixels.cols, pixels.rows), std::vector<double>(pixels.total(), 1.0)};
}

void Canvas::begin_subject()
{
  painting_subject_ = true;
  subject_.setTo(0.0);
  hidden_.setTo(0.0);
}

bool Canvas::hidden(Point point) const
{
  const cv::Point pixel(cvFloor(point.x * unit_), cvFloor(point.y * unit_));
  return !cv::Rect(0, 0, pixels.cols, pixels.rows).contains(pixel) || hidden_(pixel) >= 0.5;
}

cv::Mat Canvas::mask() const
{
  cv::Mat mask(pixels.size(), CV_8UC1);
  for (int y = 0; y < mask.rows; ++y) {
    for (int x = 0; x < mask.cols; ++x) {
      mask.at<uchar>(y, x) = subject_(y, x) * (1.0 - hidden_(y, x)) >= 0.5 ? 255 : 0;
    }
  }
  return mask;
}

}  // namespace mgproto::birds
