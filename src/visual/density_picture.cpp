// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "visual/density_picture.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "model/number_text.hpp"
#include "visual/palette.hpp"
#include "visual/text.hpp"

namespace mgproto::visual
{
namespace
{

constexpr int kAxisHeight = 58;
constexpr int kBinGap = 14;  // within a row, above the highest bin
constexpr double kStarRadius = 11;

class DensityAxis
{
public:
  explicit DensityAxis(const DensityHistograms & histograms)
  : from_(histograms.from), extent_(histograms.to - histograms.from)
  {
  }

  bool usable() const { return std::isfinite(from_) && std::isfinite(extent_) && extent_ > 0; }

  int column(double value) const
  {
    return kDensityPlotLeft +
           cvRound(std::clamp((value - from_) / extent_, 0.0, 1.0) * kDensityPlotWidth);
  }

  /// Multiples of 1, 2 or 5 times a power of ten, six to fifteen of them.
  std::vector<double> ticks() const
  {
    const double power = std::pow(10.0, std::floor(std::log10(extent_ / 6)));
    const double steps = extent_ / 6 / power;
    const double step = power * (steps >= 5 ? 5 : steps >= 2 ? 2 : 1);
    std::vector<double> values;
    for (double i = std::ceil(from_ / step); i * step <= from_ + extent_; ++i) {
      values.push_back(i * step);
      if (values.size() > 20) {  // bins so narrow that counting on changes nothing
        return {};
      }
    }
    return values;
  }

private:
  double from_;
  double extent_;
};

void draw_centred(
  cv::Mat & canvas, const std::string & text, int centre, int baseline, const TextStyle & style)
{
  draw_text(canvas, text, {centre - text_width(text, style) / 2, baseline}, style);
}

void draw_axis(cv::Mat & canvas, const DensityAxis & axis, int top, int bottom)
{
  for (const double tick : axis.ticks()) {
    const int column = axis.column(tick);
    cv::line(canvas, {column, top}, {column, bottom}, kTile, 1);
    cv::line(canvas, {column, bottom}, {column, bottom + 5}, kFaintInk, 1);
    draw_centred(canvas, general(tick, 6), column, bottom + 21, kSmall);
  }
  draw_centred(
    canvas, "log p(x)", kDensityPlotLeft + kDensityPlotWidth / 2, bottom + 44, {15, kInk});
}

void draw_bins(
  cv::Mat & canvas, const std::vector<double> & shares, int baseline, const cv::Scalar & ink)
{
  double highest = 0;
  for (const double share : shares) {
    highest = std::isfinite(share) ? std::max(highest, share) : highest;
  }
  const double width = static_cast<double>(kDensityPlotWidth) / static_cast<double>(shares.size());
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (!std::isfinite(shares[i]) || shares[i] <= 0) {
      continue;
    }
    const double relative = shares[i] / highest;
    const int height = std::max(1, cvRound(relative * (kDensityRowHeight - kBinGap)));
    const int left = kDensityPlotLeft + cvRound(static_cast<double>(i) * width);
    const int right = kDensityPlotLeft + cvRound(static_cast<double>(i + 1) * width);
    cv::rectangle(
      canvas, cv::Rect(left, baseline - height, std::max(1, right - left - 1), height), ink,
      cv::FILLED);
  }
}

void draw_set(cv::Mat & canvas, const DensityHistogram & set, int top)
{
  const cv::Scalar ink = class_colour(set.to_reject ? 1 : 0);
  const int baseline = top + kDensityRowHeight;
  const int room = kDensityPlotLeft - kMargin - 20;
  const TextStyle name{17, ink, true};
  const auto line = [&](const std::string & text, int above, const TextStyle & style) {
    draw_text(canvas, shortened(text, room, style), {kMargin, baseline - above}, style);
  };
  line(set.name, 42, name);
  line(std::to_string(set.images) + " images", 22, kSmall);
  if (set.accepted) {
    line(percent(*set.accepted) + " taken for known", 4, kSmall);
  }
  draw_bins(canvas, set.shares, baseline, ink);
  cv::line(
    canvas, {kDensityPlotLeft, baseline}, {kDensityPlotLeft + kDensityPlotWidth, baseline}, kRule,
    1);
}

void draw_star(cv::Mat & canvas, cv::Point centre, const cv::Scalar & ink)
{
  constexpr double kPi = 3.14159265358979323846;
  constexpr double kInnerShare = 0.42;
  constexpr int kShift = 4;
  std::vector<cv::Point> corners;
  for (int i = 0; i < 10; ++i) {
    const double radius = (1 << kShift) * kStarRadius * (i % 2 == 0 ? 1 : kInnerShare);
    corners.emplace_back(
      cvRound((centre.x << kShift) + radius * std::sin(i * kPi / 5)),
      cvRound((centre.y << kShift) - radius * std::cos(i * kPi / 5)));
  }
  cv::fillPoly(canvas, std::vector<std::vector<cv::Point>>{corners}, ink, cv::LINE_AA, kShift);
}

void draw_threshold(cv::Mat & canvas, double threshold, int column, int bottom)
{
  const cv::Scalar ink = verdict_colour(Verdict::unknown);
  cv::rectangle(canvas, cv::Point(column, kDensityStarRow), cv::Point(column, bottom), ink);
  draw_star(canvas, {column, kDensityStarRow}, ink);
  const TextStyle style{15, ink, true};
  const std::string text = "threshold " + number(threshold);
  const int width = text_width(text, style);
  const int beside = column + 18;
  const int right = kDensityPlotLeft + kDensityPlotWidth;
  draw_text(
    canvas, text, {beside + width <= right ? beside : column - 18 - width, kDensityStarRow + 5},
    style);
}

}  // namespace

cv::Mat density_picture(const DensityHistograms & histograms)
{
  const int bottom =
    kDensityFirstRow + static_cast<int>(histograms.sets.size()) * kDensityRowHeight;
  cv::Mat canvas(
    bottom + kAxisHeight + kMargin / 2, kDensityPlotLeft + kDensityPlotWidth + kMargin, CV_8UC3,
    kPaper);
  draw_text(canvas, "Known or unknown", {kMargin, kMargin + 20}, {22, kInk, true});
  draw_text(
    canvas,
    "Share of each set's images by log p(x), each row as high as its highest bin; what lies "
    "beyond the axis is in the outermost bins",
    {kMargin, kMargin + 46}, kSmall);

  const DensityAxis axis(histograms);
  if (axis.usable()) {
    draw_axis(canvas, axis, kDensityFirstRow, bottom);
  }
  for (std::size_t i = 0; i < histograms.sets.size(); ++i) {
    draw_set(
      canvas, histograms.sets[i], kDensityFirstRow + static_cast<int>(i) * kDensityRowHeight);
  }
  if (axis.usable() && histograms.threshold && std::isfinite(*histograms.threshold)) {
    draw_threshold(canvas, *histograms.threshold, axis.column(*histograms.threshold), bottom);
  }
  return canvas;
}

}  // namespace mgproto::visual
