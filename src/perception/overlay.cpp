// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/overlay.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/decision.hpp"
#include "model/quantile.hpp"
#include "model/reason_text.hpp"
#include "perception/decode.hpp"
#include "visual/heat_map.hpp"
#include "visual/labels.hpp"
#include "visual/palette.hpp"
#include "visual/text.hpp"
#include "visual/verdict_panel.hpp"

namespace mgproto::perception
{
namespace
{

using visual::TextStyle;

constexpr double kSmallestText = 9;     // pixels, that can still be read
constexpr double kLargestText = 160;    // of 8K
constexpr std::size_t kMostLabels = 3;  // of places: more would hide what they are about

/// Sizes that follow from the frame's.
struct Layout
{
  explicit Layout(cv::Size frame)
  : text(std::clamp(std::min(frame.width, frame.height) / 26.0, kSmallestText, kLargestText)),
    line(cvCeil(text / 16)),
    padding(std::max(2, cvRound(0.35 * text))),
    strip(cvRound(1.7 * text)),
    words(frame.width >= 7 * text && frame.height >= 6 * text)
  {
  }

  double text;  // pixels
  int line;     // width of a line
  int padding;
  int strip;   // height of a line of text with room around it
  bool words;  // whether there is room for any
};

cv::Rect rectangle_of(const Box & box) { return {box.x, box.y, box.width, box.height}; }

bool is_whole_image(const FramePrediction & frame)
{
  return frame.regions.size() == 1 && frame.regions.front().detection_id.empty() &&
         frame.regions.front().region == Box{0, 0, frame.width, frame.height};
}

/// What to say about a region, the most telling first, the shortest last; `known` in front of what
/// is.
std::vector<std::string> wordings(
  const RegionPrediction & region, const Manifest & manifest, const std::string & known)
{
  const Prediction & prediction = region.prediction;
  const int best = prediction.class_id;
  const std::string name = best < 0 ? "no class" : visual::class_name(manifest, best);
  const std::string share = visual::percent(visual::posterior_of(prediction, best));
  switch (prediction.verdict) {
    case Verdict::known: {
      const std::string late = region.unknown ? " (still flagged as unknown)" : "";
      const std::string answer = name + " " + share;
      return {known + answer + late, known + answer, answer, name};
    }
    case Verdict::unknown: {
      const std::string early = region.unknown ? "" : " (not flagged yet)";
      return {"UNKNOWN, nearest is " + name + early, "UNKNOWN" + early, "UNKNOWN"};
    }
    case Verdict::uncalibrated:
      break;
  }
  return {"UNCALIBRATED: " + name + " " + share, "UNCALIBRATED", "UNCAL."};
}

/// The first that fits, or the beginning of the last one.
std::string fitting_wording(
  const std::vector<std::string> & texts, int width, const TextStyle & style)
{
  for (const std::string & text : texts) {
    if (visual::text_width(text, style) <= width) {
      return text;
    }
  }
  return visual::shortened(texts.back(), width, style);
}

/// A line of text from the left end of a strip on.
void write_in(
  cv::Mat & canvas, const cv::Rect & strip, const std::string & text, const TextStyle & style)
{
  const int baseline = strip.y + cvRound(0.5 * strip.height + 0.33 * style.size);
  const int padding = std::max(2, cvRound(0.35 * style.size));
  visual::draw_text(canvas, text, {strip.x + padding, baseline}, style);
}

void draw_banner(
  cv::Mat & canvas, const std::vector<std::string> & texts, const cv::Scalar & colour,
  const Layout & layout)
{
  if (!layout.words) {  // the colour alone says it
    cv::rectangle(canvas, {{0, 0}, canvas.size()}, colour, std::max(1, canvas.rows / 16));
    return;
  }
  const cv::Rect strip(0, 0, canvas.cols, layout.strip);
  cv::rectangle(canvas, strip, colour, cv::FILLED);
  const TextStyle style{layout.text, visual::kPaper, true};
  write_in(canvas, strip, fitting_wording(texts, canvas.cols - 2 * layout.padding, style), style);
}

/// On the canvas without its strips of text.
void draw_labels(cv::Mat & canvas, const std::vector<visual::Label> & labels, const Layout & layout)
{
  const TextStyle style{std::max(kSmallestText, 0.8 * layout.text), visual::kPaper, true};
  const cv::Rect area(0, layout.strip, canvas.cols, std::max(0, canvas.rows - 2 * layout.strip));
  visual::draw_labels(canvas, labels, visual::place_labels(labels, area, style), style);
}

void draw_places(cv::Mat & canvas, const Prediction & prediction, int count, const Layout & layout)
{
  const std::size_t shown =
    std::min(prediction.evidence.size(), static_cast<std::size_t>(std::max(count, 0)));
  // The strongest last, on top; labels on top of all boxes.
  for (std::size_t i = shown; i-- > 0;) {
    const cv::Rect box = rectangle_of(prediction.evidence[i].box);
    cv::rectangle(canvas, box, visual::class_colour(i), layout.line);
  }
  if (layout.text <= kSmallestText) {  // labels would hide what they are about
    return;
  }
  std::vector<visual::Label> labels;
  for (std::size_t i = 0; i < std::min(shown, kMostLabels); ++i) {
    const PrototypeEvidence & place = prediction.evidence[i];
    labels.push_back(
      {rectangle_of(place.box), {visual::percent(place.contribution)}, visual::class_colour(i)});
  }
  draw_labels(canvas, labels, layout);
}

/// Red where the score means unknown, green where it means known; the mark is this frame.
void draw_scale(
  cv::Mat & canvas, const cv::Rect & bar, const RegionPrediction & region,
  const Calibration & calibration)
{
  // The calibration images fill most of it; what is far off them stays at the end.
  const std::vector<double> & scores = scores_of(calibration, region.prediction.criterion);
  const double low = std::min(quantile_of_sorted(scores, 0.01), region.prediction.threshold);
  const double high = std::max(quantile_of_sorted(scores, 0.99), region.prediction.threshold);
  const double room = std::max(0.3 * (high - low), 1e-6);
  const auto column = [&](double value) {
    const double share = (value - (low - room)) / (high - low + 2 * room);
    return bar.x + cvRound(std::clamp(share, 0.0, 1.0) * bar.width);
  };
  if (bar.empty() || !std::isfinite(low) || !std::isfinite(high)) {
    return;
  }
  const int threshold = column(region.prediction.threshold);
  cv::rectangle(canvas, bar, visual::verdict_colour(Verdict::known), cv::FILLED);
  cv::rectangle(
    canvas, {bar.x, bar.y, threshold - bar.x, bar.height}, visual::verdict_colour(Verdict::unknown),
    cv::FILLED);
  if (std::isfinite(region.prediction.score)) {
    const int width = std::max(3, bar.height / 3);
    const int mark = column(region.prediction.score) - width / 2;
    const int left = std::clamp(mark, bar.x, std::max(bar.x, bar.br().x - width));
    cv::rectangle(canvas, {left, bar.y, width, bar.height}, visual::kPaper, cv::FILLED);
    cv::rectangle(canvas, {left, bar.y, width, bar.height}, visual::kInk, 1);
  }
}

/// At the bottom: what decides and its threshold in numbers, if there is room, and as a scale.
void draw_density(
  cv::Mat & canvas, const RegionPrediction & region, const std::optional<Calibration> & calibration,
  const Layout & layout)
{
  if (!layout.words) {
    return;
  }
  const TextStyle style{std::max(kSmallestText, 0.85 * layout.text), visual::kPaper};
  const auto [score, threshold] =
    visual::numbers_told_apart(region.prediction.score, region.prediction.threshold);
  const std::string text = score_name(region.prediction.criterion) + (" " + score) +
                           (calibration ? ", threshold " + threshold : ", no threshold");
  const int text_width = visual::text_width(text, style) + 2 * layout.padding;
  const bool in_numbers = text_width <= 0.7 * canvas.cols;
  if (!in_numbers && !calibration) {
    return;
  }
  const int height = in_numbers ? layout.strip : layout.strip / 2;
  const cv::Rect strip(0, canvas.rows - height, canvas.cols, height);
  cv::Mat background = canvas(strip);
  background *= 0.3;
  if (in_numbers) {
    write_in(canvas, strip, text, style);
  }
  if (calibration) {
    const int left = in_numbers ? text_width : layout.padding;
    const int inset = in_numbers ? height / 4 : 1;
    draw_scale(
      canvas, {left, strip.y + inset, canvas.cols - left - layout.padding, height - 2 * inset},
      region, *calibration);
  }
}

void draw_whole_image(
  cv::Mat & canvas, const RegionPrediction & region, const Manifest & manifest,
  const Settings & settings, const Layout & layout)
{
  const Prediction & prediction = region.prediction;
  if (visual::pixels(prediction.seen, canvas.size()).size() != canvas.size()) {
    visual::darken_unseen(canvas, prediction.seen);
  }
  if (!prediction.evidence.empty() && settings.overlay_prototypes > 0) {
    visual::blend_heat_map(
      canvas, prediction.evidence.front().map, prediction.map_rows, prediction.map_cols,
      prediction.seen, settings.overlay_opacity);
  }
  draw_places(canvas, prediction, settings.overlay_prototypes, layout);
  draw_density(canvas, region, manifest.calibration, layout);
  draw_banner(
    canvas, wordings(region, manifest, "KNOWN: "), visual::verdict_colour(prediction.verdict),
    layout);
}

void draw_regions(
  cv::Mat & canvas, const std::vector<RegionPrediction> & regions, const Manifest & manifest,
  const Layout & layout)
{
  std::size_t known = 0;
  std::vector<visual::Label> labels;
  for (const RegionPrediction & region : regions) {
    const Verdict verdict = region.prediction.verdict;
    known += verdict == Verdict::known ? 1 : 0;
    const cv::Rect box = rectangle_of(region.region);
    if (box.empty()) {  // a detection that could not be looked at
      continue;
    }
    cv::rectangle(canvas, box, visual::verdict_colour(verdict), layout.line);
    labels.push_back({box, wordings(region, manifest, ""), visual::verdict_colour(verdict)});
  }
  if (layout.words) {
    draw_labels(canvas, labels, layout);
  }
  const std::string count = std::to_string(regions.size());
  const std::string share = std::to_string(known) + " of " + count;
  const std::vector<std::string> summary{share + " regions known", share + " known", share};
  draw_banner(
    canvas, regions.empty() ? std::vector<std::string>{"no regions", "none"} : summary,
    visual::kInk, layout);
}

}  // namespace

cv::Mat draw_overlay(
  const ImageView & image, const FramePrediction & frame, const Settings & settings)
{
  cv::Mat canvas = bgr_copy(image);
  const Layout layout(canvas.size());
  const Manifest & manifest = frame.model->manifest;
  if (is_whole_image(frame)) {
    draw_whole_image(canvas, frame.regions.front(), manifest, settings, layout);
  } else {
    draw_regions(canvas, frame.regions, manifest, layout);
  }
  return canvas;
}

}  // namespace mgproto::perception
