// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "visual/scatter_picture.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <opencv2/imgproc.hpp>

#include "visual/palette.hpp"
#include "visual/prototype_colour.hpp"
#include "visual/text.hpp"

namespace mgproto::visual
{
namespace
{

constexpr int kInset = 36;  // between the frame and the outermost point
constexpr int kPointRadius = 3;
constexpr int kMarkRadius = 8;
constexpr int kShift = 4;  // binary digits of OpenCV's fractions of a pixel
const TextStyle kLabel{15, kInk, true};

bool drawable(const ScatterPoint & point)
{
  constexpr double kLargest = std::numeric_limits<float>::max();
  return std::abs(point.x) <= kLargest && std::abs(point.y) <= kLargest;  // false for NaN
}

/// From the plane to the picture.
class Scale
{
public:
  explicit Scale(const Scatter & scatter)
  {
    for (const ScatterPoint & point : scatter.points) {
      include(point);
    }
    for (const ScatterMark & mark : scatter.marks) {
      include(mark.at);
    }
    const double extent = std::max(right_ - left_, top_ - bottom_);
    pixels_per_unit_ = extent > 0 ? (kScatterPlot.width - 2 * kInset) / extent : 0;
  }

  cv::Point2d operator()(const ScatterPoint & point) const
  {
    return {
      kScatterPlot.x + kScatterPlot.width / 2.0 +
        (point.x - (left_ + right_) / 2) * pixels_per_unit_,
      kScatterPlot.y + kScatterPlot.height / 2.0 -
        (point.y - (bottom_ + top_) / 2) * pixels_per_unit_};
  }

private:
  void include(const ScatterPoint & point)
  {
    if (drawable(point)) {
      left_ = std::min(left_, point.x);
      right_ = std::max(right_, point.x);
      bottom_ = std::min(bottom_, point.y);
      top_ = std::max(top_, point.y);
    }
  }

  double left_ = std::numeric_limits<double>::infinity();
  double right_ = -std::numeric_limits<double>::infinity();
  double bottom_ = std::numeric_limits<double>::infinity();
  double top_ = -std::numeric_limits<double>::infinity();
  double pixels_per_unit_ = 0;
};

void draw_disc(cv::Mat & canvas, cv::Point2d centre, double radius, const cv::Scalar & ink)
{
  const double unit = 1 << kShift;
  cv::circle(
    canvas, cv::Point(cvRound(centre.x * unit), cvRound(centre.y * unit)), cvRound(radius * unit),
    ink, cv::FILLED, cv::LINE_AA, kShift);
}

/// Half way to the paper: points stay behind the marks.
cv::Scalar pale(const cv::Scalar & ink) { return 0.5 * (ink + kPaper); }

cv::Rect around(cv::Point2d centre, cv::Size size)
{
  return {
    cvRound(centre.x - size.width / 2.0), cvRound(centre.y - size.height / 2.0), size.width,
    size.height};
}

/// The place for a label as near to its mark as the others and the frame let it be.
cv::Rect label_place(cv::Point2d mark, cv::Size size, const std::vector<cv::Rect> & taken)
{
  constexpr double kPi = 3.14159265358979323846;
  constexpr int kDirections = 12;
  const auto place = [&](double radius, int direction) {
    const double angle = 2 * kPi * direction / kDirections;
    return around(
      mark + cv::Point2d(
               (radius + size.width / 2.0) * std::cos(angle),
               -(radius + size.height / 2.0) * std::sin(angle)),
      size);
  };
  for (int radius = kMarkRadius + 3; radius < 140; radius += 10) {
    for (int direction = 0; direction < kDirections; ++direction) {
      const cv::Rect area = place(radius, direction);
      const bool inside = (area & kScatterPlot) == area;
      const bool is_free = std::none_of(taken.begin(), taken.end(), [&](const cv::Rect & other) {
        return (other & area).area() > 0;
      });
      if (inside && is_free) {
        return area;
      }
    }
  }
  return place(kMarkRadius + 3, 0);
}

/// Ink on an edge of paper, which keeps it apart from the points below.
void draw_label(cv::Mat & canvas, const std::string & text, cv::Point baseline)
{
  const TextStyle edge{kLabel.size, kPaper, true};
  for (int y = -2; y <= 2; ++y) {
    for (int x = -2; x <= 2; ++x) {
      draw_text(canvas, text, baseline + cv::Point(x, y), edge);
    }
  }
  draw_text(canvas, text, baseline, kLabel);
}

void draw_marks(cv::Mat & canvas, const std::vector<ScatterMark> & marks, const Scale & scale)
{
  std::vector<ScatterMark> shown;
  std::copy_if(marks.begin(), marks.end(), std::back_inserter(shown), [](const ScatterMark & mark) {
    return drawable(mark.at);
  });
  std::vector<cv::Rect> taken;
  for (const ScatterMark & mark : shown) {
    taken.push_back(around(scale(mark.at), cv::Size(2, 2) * (kMarkRadius + 2)));
  }
  std::vector<cv::Rect> labels;
  for (const ScatterMark & mark : shown) {
    const cv::Size size(text_width(mark.label, kLabel) + 6, cvRound(kLabel.size) + 2);
    labels.push_back(label_place(scale(mark.at), size, taken));
    taken.push_back(labels.back());
    const cv::Rect & label = labels.back();
    cv::line(
      canvas, scale(mark.at), (label.tl() + label.br()) / 2, prototype_colour(mark.at.group), 1,
      cv::LINE_AA);
  }
  for (std::size_t i = shown.size(); i-- > 0;) {
    const cv::Point2d centre = scale(shown[i].at);
    draw_disc(canvas, centre, kMarkRadius + 2, kInk);
    draw_disc(canvas, centre, kMarkRadius + 1, kPaper);
    draw_disc(canvas, centre, kMarkRadius - 1, prototype_colour(shown[i].at.group));
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {
    draw_label(canvas, shown[i].label, {labels[i].x + 3, labels[i].br().y - 3});
  }
}

}  // namespace

cv::Mat scatter_picture(const Scatter & scatter)
{
  cv::Mat canvas(kScatterPlot.br().y + kMargin, kScatterPlot.br().x + kMargin, CV_8UC3, kPaper);
  const TextStyle title{22, kInk, true};
  const TextStyle caption{13, kFaintInk};
  draw_text(
    canvas, shortened(scatter.title, kScatterPlot.width, title), {kMargin, kMargin + 20}, title);
  draw_text(
    canvas, shortened(scatter.caption, kScatterPlot.width, caption), {kMargin, kMargin + 46},
    caption);

  const Scale scale(scatter);
  for (const ScatterPoint & point : scatter.points) {
    if (drawable(point)) {
      draw_disc(canvas, scale(point), kPointRadius, pale(prototype_colour(point.group)));
    }
  }
  draw_marks(canvas, scatter.marks, scale);
  cv::rectangle(canvas, kScatterPlot, kRule, 1);
  return canvas;
}

}  // namespace mgproto::visual
