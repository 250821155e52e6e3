// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "visual/verdict_panel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "model/decision.hpp"
#include "model/quantile.hpp"
#include "model/reason_text.hpp"
#include "visual/palette.hpp"
#include "visual/text.hpp"

namespace mgproto::visual
{
namespace
{

constexpr int kMarker = 8;  // half the width of the triangle

std::string verdict_name(Verdict verdict)
{
  switch (verdict) {
    case Verdict::known:
      return "KNOWN";
    case Verdict::unknown:
      return "UNKNOWN";
    case Verdict::uncalibrated:
      break;
  }
  return "UNCALIBRATED";
}

void draw_badge(cv::Mat & canvas, cv::Point top_left, Verdict verdict)
{
  const TextStyle style{17, kPaper, true};
  const std::string name = verdict_name(verdict);
  const cv::Rect badge(top_left, cv::Size(text_width(name, style) + 28, 32));
  cv::rectangle(canvas, badge, verdict_colour(verdict), cv::FILLED);
  draw_text(canvas, name, badge.tl() + cv::Point(14, 22), style);
}

/// A small label, the value below it, and below that what the value means.
void draw_fact(
  cv::Mat & canvas, cv::Point top_left, int width, const std::string & label,
  const std::string & value, const std::string & meaning)
{
  const TextStyle small{13, kFaintInk};
  const TextStyle large{22, kInk, true};
  draw_text(canvas, shortened(label, width, small), top_left + cv::Point(0, 12), small);
  draw_text(canvas, shortened(value, width, large), top_left + cv::Point(0, 40), large);
  draw_text(canvas, shortened(meaning, width, small), top_left + cv::Point(0, 60), small);
}

/// From scores to columns of the picture. It is laid out for the calibration images: a value far
/// off them stays at the end, so that it cannot squeeze them to a dot.
class ScaleAxis
{
public:
  ScaleAxis(const std::vector<double> & scores, double threshold, int left, int width)
  : left_(left), width_(width)
  {
    from_ = std::min(quantile_of_sorted(scores, 0.01), threshold);
    to_ = std::max(quantile_of_sorted(scores, 0.99), threshold);
    const double room = std::max(0.3 * (to_ - from_), 1e-6);
    from_ -= room;
    to_ += room;
  }

  int column(double value) const
  {
    return left_ + cvRound(std::clamp((value - from_) / (to_ - from_), 0.0, 1.0) * width_);
  }
  bool covers(double value) const { return value >= from_ && value <= to_; }

private:
  int left_;
  int width_;
  double from_ = 0;
  double to_ = 1;
};

bool has_scale(const std::vector<double> & scores, double threshold)
{
  return !scores.empty() && std::abs(threshold) <= std::numeric_limits<float>::max() &&
         std::all_of(scores.begin(), scores.end(), [](double value) {
           return std::abs(value) <= std::numeric_limits<float>::max();
         });
}

void draw_centred(
  cv::Mat & canvas, const std::string & text, int centre, int baseline, int left, int right,
  const TextStyle & style)
{
  const int width = text_width(text, style);
  const int x = std::max(left, std::min(centre - width / 2, right - width));
  draw_text(canvas, text, {x, baseline}, style);
}

/// Red where the score means unknown, green where it means known; on it the calibration images as
/// nested bars (98 %, 90 % and 50 % of them), the threshold, and this image as a triangle.
void draw_scale(
  cv::Mat & canvas, cv::Point top_left, int width, const Prediction & prediction,
  const std::vector<double> & scores)
{
  const int left = top_left.x;
  const int right = left + width;
  // Narrower than the strip, so that the triangle stays on it.
  const ScaleAxis axis(scores, prediction.threshold, left + kMarker, width - 2 * kMarker);
  const cv::Rect strip(left, top_left.y + 40, width, 30);
  const auto bar = [&](double from, double to, int height, unsigned rgb) {
    const int middle = strip.y + strip.height / 2;
    cv::rectangle(
      canvas, cv::Point(axis.column(from), middle - height / 2),
      cv::Point(axis.column(to), middle + height / 2), colour(rgb), cv::FILLED);
  };
  const auto calibrated = [&](double share) { return quantile_of_sorted(scores, share); };

  const int threshold = axis.column(prediction.threshold);
  cv::rectangle(canvas, strip, colour(0xdcfce7), cv::FILLED);
  cv::rectangle(
    canvas, cv::Rect(left, strip.y, threshold - left, strip.height), colour(0xfee2e2), cv::FILLED);
  bar(calibrated(0.01), calibrated(0.99), 2, 0x9ca3af);
  bar(calibrated(0.05), calibrated(0.95), 8, 0x9ca3af);
  bar(calibrated(0.25), calibrated(0.75), 16, 0x6b7280);
  const int median = axis.column(calibrated(0.5));
  cv::rectangle(canvas, cv::Rect(median - 1, strip.y + 7, 2, 17), kPaper, cv::FILLED);

  cv::rectangle(
    canvas, cv::Rect(threshold - 1, strip.y - 6, 2, strip.height + 12),
    verdict_colour(Verdict::unknown), cv::FILLED);
  const int below = strip.br().y + 22;
  const auto [score_text, threshold_text] =
    numbers_told_apart(prediction.score, prediction.threshold);
  draw_centred(
    canvas, "threshold " + threshold_text, threshold, below, left, right,
    {13, verdict_colour(Verdict::unknown)});

  const double value = prediction.score;
  if (!std::isfinite(value)) {
    return;
  }
  const int here = axis.column(value);
  const cv::Scalar ink = verdict_colour(prediction.verdict);
  const std::vector<cv::Point> triangle{
    {here, strip.y + 2}, {here - kMarker, strip.y - 12}, {here + kMarker, strip.y - 12}};
  cv::fillConvexPoly(canvas, triangle, ink, cv::LINE_AA);
  const std::string text = "this image " + score_text;
  draw_centred(
    canvas, axis.covers(value) ? text : text + " (off the scale)", here, strip.y - 18, left, right,
    {14, ink, true});
}

}  // namespace

std::string class_name(const Manifest & manifest, int class_id)
{
  const auto index = static_cast<std::size_t>(class_id);
  return class_id >= 0 && index < manifest.classes.size() ? manifest.classes[index]
                                                          : "class " + std::to_string(class_id);
}

double posterior_of(const Prediction & prediction, int class_id)
{
  const auto index = static_cast<std::size_t>(class_id);
  return class_id >= 0 && index < prediction.posterior.size()
           ? prediction.posterior[index]
           : std::numeric_limits<double>::quiet_NaN();
}

void draw_verdict(
  cv::Mat & canvas, cv::Point top_left, int width, const Prediction & prediction,
  const Manifest & manifest)
{
  const auto & calibration = manifest.calibration;
  draw_badge(canvas, top_left, prediction.verdict);

  const bool answered = prediction.verdict != Verdict::unknown;
  const TextStyle headline{30, answered ? kInk : kFaintInk, true};
  const TextStyle plain{15, kFaintInk};
  const bool decided = prediction.class_id >= 0;
  const std::string name = decided ? class_name(manifest, prediction.class_id) : "no class";
  draw_text(canvas, shortened(name, width, headline), top_left + cv::Point(0, 74), headline);
  const std::string probability =
    "p(c|x) = " + number(posterior_of(prediction, prediction.class_id));
  std::string meaning = probability;
  if (!answered) {
    meaning =
      "is only the closest class (" + probability + "): " + short_reason_text(prediction, manifest);
  } else if (prediction.verdict == Verdict::uncalibrated) {
    meaning += "; not calibrated, so nothing is decided";
  }
  draw_text(canvas, shortened(meaning, width, plain), top_left + cv::Point(0, 100), plain);

  const int third = width / 3;
  const cv::Point facts = top_left + cv::Point(0, 124);
  const auto [score, threshold] = numbers_told_apart(prediction.score, prediction.threshold);
  draw_fact(
    canvas, facts, third - 16, score_name(prediction.criterion), score,
    prediction.criterion == Criterion::joint ? "log p(x) " + number(prediction.log_density)
                                             : "of this image");
  draw_fact(
    canvas, facts + cv::Point(third, 0), third - 16, "threshold", calibration ? threshold : "none",
    calibration ? percent(calibration->tpr) + " of known images pass" : "not calibrated yet");
  draw_fact(
    canvas, facts + cv::Point(2 * third, 0), third - 16, "typicality",
    prediction.typicality ? percent(*prediction.typicality) : "none",
    calibration ? "of " + std::to_string(calibration->log_density.size()) + " images are no higher"
                : "not calibrated yet");
  if (calibration) {
    const std::vector<double> & scores = scores_of(*calibration, prediction.criterion);
    if (has_scale(scores, prediction.threshold)) {
      draw_scale(canvas, top_left + cv::Point(0, 198), width, prediction, scores);
    }
  }
}

}  // namespace mgproto::visual
