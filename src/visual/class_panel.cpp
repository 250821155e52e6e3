// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "visual/class_panel.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "visual/heat_map.hpp"
#include "visual/palette.hpp"
#include "visual/verdict_panel.hpp"

namespace mgproto::visual
{
namespace
{

// The layout, in pixels.
constexpr int kTileGap = 10;
constexpr int kRowGap = 12;
constexpr int kFormulaWidth = 186;
constexpr int kFormulaHeight = 100;
constexpr int kFormulaGap = 18;
constexpr int kHeadingHeight = 72;  // name, rule and captions
constexpr int kLineHeight = 30;
constexpr int kSumLines = 3;

const TextStyle kCaption{13, kFaintInk};

/// log(pi * h): h itself may have no room in a double.
double log_term(const PrototypeEvidence & evidence)
{
  return std::log(static_cast<double>(evidence.prior)) + evidence.log_likelihood;
}

double log_sum(const std::vector<double> & logs)
{
  const double highest = logs.empty() ? -std::numeric_limits<double>::infinity()
                                      : *std::max_element(logs.begin(), logs.end());
  if (std::isinf(highest)) {
    return highest;
  }
  double sum = 0;
  for (const double value : logs) {
    sum += std::exp(value - highest);
  }
  return highest + std::log(sum);
}

cv::Mat decoded(const std::vector<std::uint8_t> & file)
{
  try {
    return cv::imdecode(file, cv::IMREAD_COLOR);
  } catch (const cv::Exception &) {
    return {};
  }
}

void place(cv::Mat & canvas, const cv::Mat & image, const cv::Rect & tile)
{
  cv::rectangle(canvas, tile, kTile, cv::FILLED);
  const cv::Point corner((tile.width - image.cols) / 2, (tile.height - image.rows) / 2);
  image.copyTo(canvas(cv::Rect(tile.tl() + corner, image.size())));
}

cv::Rect shrunk(const cv::Rect & area, int by)
{
  return {area.x + by, area.y + by, area.width - 2 * by, area.height - 2 * by};
}

}  // namespace

cv::Size fitted(cv::Size image, cv::Size room)
{
  const double scale = std::min(
    static_cast<double>(room.width) / image.width, static_cast<double>(room.height) / image.height);
  return {
    std::clamp(cvRound(image.width * scale), 1, room.width),
    std::clamp(cvRound(image.height * scale), 1, room.height)};
}

cv::Mat resized(const cv::Mat & image, cv::Size size)
{
  cv::Mat result;
  const bool smaller = size.width < image.cols;
  cv::resize(image, result, size, 0, 0, smaller ? cv::INTER_AREA : cv::INTER_CUBIC);
  return result;
}

ClassPanel::ClassPanel(
  const cv::Mat & image, const Prediction & prediction, const Manifest & manifest, int width,
  int prototypes)
: prediction_(prediction), manifest_(manifest), width_(width), prototypes_(prototypes)
{
  const int side = (width - kFormulaWidth - kFormulaGap - 2 * kTileGap) / 3;
  const double shape = std::clamp(static_cast<double>(image.rows) / image.cols, 0.78, 1.0);
  tile_ = {side, cvRound(side * shape)};
  image_ = resized(image, fitted(image.size(), tile_));
  scale_x_ = static_cast<double>(image_.cols) / image.cols;
  scale_y_ = static_cast<double>(image_.rows) / image.rows;
  darken_unseen(image_, scaled(prediction.seen, scale_x_, scale_y_));
}

int ClassPanel::height() const
{
  return kHeadingHeight + prototypes_ * (tile_.height + kRowGap) + kSumLines * kLineHeight;
}

int ClassPanel::tile_x(int column) const { return column * (tile_.width + kTileGap); }

int ClassPanel::formula_x() const { return tile_x(2) + tile_.width + kFormulaGap; }

void ClassPanel::draw(
  cv::Mat & canvas, cv::Point corner, const ClassEvidence & evidence, const cv::Scalar & ink) const
{
  draw_heading(canvas, corner, evidence.class_id, ink);
  cv::Point row = corner + cv::Point(0, kHeadingHeight);
  for (std::size_t i = 0; i < evidence.prototypes.size() && static_cast<int>(i) < prototypes_;
       ++i) {
    draw_prototype(canvas, row, *evidence.prototypes[i], ink);
    row.y += tile_.height + kRowGap;
  }
  draw_sums(canvas, row, evidence, ink);
}

void ClassPanel::draw_heading(
  cv::Mat & canvas, cv::Point corner, int class_id, const cv::Scalar & ink) const
{
  const TextStyle heading{22, kInk, true};
  const TextStyle result{20, ink, true};
  const std::string probability = "p(c|x) = " + number(posterior_of(prediction_, class_id));
  const int right = width_ - text_width(probability, result);
  const std::string name = shortened(class_name(manifest_, class_id), right - 24, heading);
  draw_text(canvas, name, corner + cv::Point(0, 22), heading);
  draw_text(canvas, probability, corner + cv::Point(right, 22), result);
  cv::rectangle(canvas, cv::Rect(corner + cv::Point(0, 34), cv::Size(width_, 3)), ink, cv::FILLED);

  const char * captions[] = {
    "this part", "likelihood map", "looks like that", "prior x likelihood"};
  const int columns[] = {tile_x(0), tile_x(1), tile_x(2), formula_x()};
  for (int i = 0; i < 4; ++i) {
    draw_text(canvas, captions[i], corner + cv::Point(columns[i], 60), kCaption);
  }
}

void ClassPanel::draw_prototype(
  cv::Mat & canvas, cv::Point corner, const PrototypeEvidence & evidence,
  const cv::Scalar & ink) const
{
  const auto tile = [&](int column) {
    return cv::Rect(corner + cv::Point(tile_x(column), 0), tile_);
  };
  place(canvas, box_tile(evidence.box, ink), tile(0));
  place(canvas, heat_tile(evidence.map), tile(1));
  draw_patch(canvas, tile(2), evidence.prototype);
  const cv::Rect formula(corner.x + formula_x(), corner.y, width_ - formula_x(), tile_.height);
  draw_formula(canvas, formula, evidence, ink);
}

cv::Mat ClassPanel::box_tile(const Box & box, const cv::Scalar & ink) const
{
  cv::Mat tile = image_.clone();
  const SeenRegion region{
    static_cast<double>(box.x), static_cast<double>(box.y), static_cast<double>(box.width),
    static_cast<double>(box.height)};
  const cv::Rect area = pixels(scaled(region, scale_x_, scale_y_), tile.size());
  // Two pixels of colour and one of white inside: one of them stands out on any photo.
  const cv::Scalar rings[] = {ink, ink, kPaper};
  for (int i = 0; i < 3; ++i) {
    const cv::Rect ring = shrunk(area, i);
    if (ring.width > 0 && ring.height > 0) {
      cv::rectangle(tile, ring, rings[i], 1);
    }
  }
  return tile;
}

cv::Mat ClassPanel::heat_tile(const std::vector<float> & map) const
{
  cv::Mat tile = image_.clone();
  const SeenRegion seen = scaled(prediction_.seen, scale_x_, scale_y_);
  blend_heat_map(tile, map, prediction_.map_rows, prediction_.map_cols, seen);
  return tile;
}

void ClassPanel::draw_patch(cv::Mat & canvas, const cv::Rect & tile, int prototype) const
{
  const auto index = static_cast<std::size_t>(prototype);
  const auto & all = manifest_.prototypes;
  const bool projected = prototype >= 0 && index < all.size() && all[index];
  const bool stored = projected && !all[index]->patch.empty();
  const cv::Mat patch = stored ? decoded(all[index]->patch) : cv::Mat();
  if (!patch.empty()) {
    place(canvas, resized(patch, fitted(patch.size(), tile.size())), tile);
    return;
  }
  cv::rectangle(canvas, tile, kTile, cv::FILLED);
  cv::rectangle(canvas, tile, kRule, 1);
  const std::string reason = stored      ? "patch unreadable"
                             : projected ? "no patch stored"
                                         : "not projected yet";
  const int x = tile.x + (tile.width - text_width(reason, kCaption)) / 2;
  draw_text(canvas, reason, {x, tile.y + tile.height / 2 + 4}, kCaption);
}

void ClassPanel::draw_formula(
  cv::Mat & canvas, const cv::Rect & area, const PrototypeEvidence & evidence,
  const cv::Scalar & ink) const
{
  const cv::Point start(area.x, area.y + (area.height - kFormulaHeight) / 2);
  const auto line = [&](const std::string & text, int y, const TextStyle & style) {
    draw_text(canvas, shortened(text, area.width, style), start + cv::Point(0, y), style);
  };
  const std::string likelihood = number_from_log(evidence.log_likelihood);
  line("prototype " + std::to_string(evidence.prototype), 12, kCaption);
  const std::string product = "pi " + number(evidence.prior) + " x h " + likelihood;
  line(product, 36, fitting(product, area.width, {15, kInk}, 12));
  line("= " + number_from_log(log_term(evidence)), 62, {20, kInk, true});

  const cv::Rect bar(start.x, start.y + 73, area.width, 6);
  cv::rectangle(canvas, bar, kTile, cv::FILLED);
  const double share = std::clamp(static_cast<double>(evidence.contribution), 0.0, 1.0);
  if (share > 0) {  // false for NaN
    const cv::Size filled(std::max(1, cvRound(share * bar.width)), bar.height);
    cv::rectangle(canvas, cv::Rect(bar.tl(), filled), ink, cv::FILLED);
  }
  const bool finite = std::isfinite(evidence.contribution);
  line(finite ? percent(evidence.contribution) + " of p(x|c)" : "share not finite", 97, kCaption);
}

void ClassPanel::draw_sums(
  cv::Mat & canvas, cv::Point corner, const ClassEvidence & evidence, const cv::Scalar & ink) const
{
  const auto index = static_cast<std::size_t>(evidence.class_id);
  const auto of_class = [&](const auto & values) {
    return evidence.class_id >= 0 && index < values.size()
             ? static_cast<double>(values[index])
             : std::numeric_limits<double>::quiet_NaN();
  };
  cv::Point baseline = corner + cv::Point(0, 14);

  const std::size_t count = evidence.prototypes.size();
  const std::size_t shown = std::min(count, static_cast<std::size_t>(std::max(prototypes_, 0)));
  if (count > shown) {
    std::vector<double> rest;
    for (std::size_t i = shown; i < count; ++i) {
      rest.push_back(log_term(*evidence.prototypes[i]));
    }
    draw_sum(
      canvas, baseline, "... + " + std::to_string(count - shown) + " more",
      number_from_log(log_sum(rest)), {15, kInk});
    baseline.y += kLineHeight;
  }

  cv::rectangle(
    canvas, cv::Rect(baseline.x + formula_x(), baseline.y - 21, width_ - formula_x(), 1), kInk,
    cv::FILLED);
  const std::string density = number_from_log(of_class(prediction_.log_likelihood));
  draw_sum(
    canvas, baseline, "sum over all " + std::to_string(count) + " prototypes:  p(x|c)", density,
    {17, kInk, true});
  baseline.y += kLineHeight;
  draw_sum(
    canvas, baseline,
    "p(c) p(x|c) / p(x) = " + number(of_class(manifest_.class_priors)) + " x " + density + " / " +
      number_from_log(prediction_.log_density),
    number(posterior_of(prediction_, evidence.class_id)), {17, ink, true});
}

void ClassPanel::draw_sum(
  cv::Mat & canvas, cv::Point baseline, const std::string & label, const std::string & value,
  const TextStyle & style) const
{
  const TextStyle label_style{15, kFaintInk};
  const int end = formula_x() - kFormulaGap;
  const std::string text = shortened(label, end, label_style);
  draw_text(
    canvas, text, baseline + cv::Point(end - text_width(text, label_style), 0), label_style);
  draw_text(
    canvas, shortened("= " + value, width_ - formula_x(), style),
    baseline + cv::Point(formula_x(), 0), style);
}

}  // namespace mgproto::visual
