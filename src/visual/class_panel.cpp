// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "visual/class_panel.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <opencv2/imgproc.hpp>

#include "visual/heat_map.hpp"
#include "visual/pair_picture.hpp"
#include "visual/palette.hpp"
#include "visual/patch_picture.hpp"
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
constexpr int kNotFoundHeight = 56;
constexpr double kHeatOpacity = 0.75;

const TextStyle kCaption{13, kFaintInk};

/// The colours of ClassPanel::likeness() from 0 to 1, on paper.
void draw_heat_scale(cv::Mat & canvas, cv::Point baseline, int width)
{
  const std::string label = "likeness 0";
  draw_text(canvas, label, baseline, kCaption);
  const int left = text_width(label, kCaption) + 5;
  const int right = width - text_width("1", kCaption);
  draw_text(canvas, "1", baseline + cv::Point(right, 0), kCaption);
  const cv::Rect bar(baseline.x + left, baseline.y - 9, right - 5 - left, 9);
  cv::Mat rising(bar.size(), CV_32F);
  for (int x = 0; x < bar.width; ++x) {
    rising.col(x).setTo(static_cast<double>(x) / (bar.width - 1));
  }
  blend_heat(canvas(bar), rising, kHeatOpacity);
  cv::rectangle(canvas, bar, kRule, 1);
}

}  // namespace

ClassPanel::ClassPanel(
  const cv::Mat & image, const Prediction & prediction, const Manifest & manifest, int width,
  int places)
: prediction_(prediction), manifest_(manifest), width_(width), places_(places)
{
  // One height for the whole image and, beside it, two squares.
  const double shape = std::clamp(static_cast<double>(image.cols) / image.rows, 0.75, 1.6);
  const int room = width - kFormulaWidth - kFormulaGap - 2 * kTileGap;
  side_ = cvFloor(room / (shape + 2));
  map_ = {room - 2 * side_, side_};
  image_ = image.clone();
  darken_unseen(image_, prediction.seen);
  small_ = resized(image_, fitted(image.size(), map_));
}

int ClassPanel::height() const
{
  const int rows = places_ + (prediction_.wholes.empty() ? 0 : 1);
  return kHeadingHeight + rows * (side_ + kRowGap) + kSumLines * kLineHeight + kNotFoundHeight;
}

int ClassPanel::pair_x(int which) const
{
  return map_.width + kTileGap + which * (side_ + kTileGap);
}

int ClassPanel::formula_x() const { return pair_x(1) + side_ + kFormulaGap; }

double ClassPanel::log_density(int class_id) const
{
  const auto & values = prediction_.log_likelihood;
  const auto index = static_cast<std::size_t>(class_id);
  return class_id >= 0 && index < values.size() ? static_cast<double>(values[index])
                                                : std::numeric_limits<double>::quiet_NaN();
}

void ClassPanel::draw(
  cv::Mat & canvas, cv::Point corner, const ClassEvidence & evidence, const cv::Scalar & ink) const
{
  draw_heading(canvas, corner, evidence.class_id, ink);
  cv::Point row = corner + cv::Point(0, kHeadingHeight);
  for (std::size_t i = 0; i < evidence.places.size() && static_cast<int>(i) < places_; ++i) {
    draw_place(canvas, row, evidence.places[i], ink);
    row.y += side_ + kRowGap;
  }
  if (evidence.whole) {
    draw_whole(canvas, row, *evidence.whole, ink);
    row.y += side_ + kRowGap;
  }
  draw_sums(canvas, row, evidence, ink);
  draw_not_found(canvas, row + cv::Point(0, kSumLines * kLineHeight), evidence, ink);
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

  const int baseline = corner.y + 60;
  draw_heat_scale(canvas, {corner.x, baseline}, map_.width);
  draw_text(canvas, "this part", {corner.x + pair_x(0), baseline}, kCaption);
  draw_text(canvas, "looks like that", {corner.x + pair_x(1), baseline}, kCaption);
  draw_text(
    canvas, is_product() ? "adds to log p(x|c)" : "prior x likelihood",
    {corner.x + formula_x(), baseline}, kCaption);
}

void ClassPanel::draw_place(
  cv::Mat & canvas, cv::Point corner, const PrototypeEvidence & place, const cv::Scalar & ink) const
{
  const cv::Size square(side_, side_);
  const cv::Mat tile = map_tile(likeness(place.map));
  const cv::Rect box = scaled(pixels(place.box, image_.size()), image_.size(), tile.size());
  draw_patch(canvas, {corner, map_}, {tile, box}, ink);
  draw_pair(
    canvas, {corner + cv::Point(pair_x(0), 0), square}, {corner + cv::Point(pair_x(1), 0), square},
    image_, place, manifest_, ink);
  const cv::Rect formula(corner.x + formula_x(), corner.y, width_ - formula_x(), side_);
  draw_formula(canvas, formula, place, ink);
}

void ClassPanel::draw_whole(
  cv::Mat & canvas, cv::Point corner, const WholeEvidence & whole, const cv::Scalar & ink) const
{
  // What places add has no scale of its own: the one that adds most is 1, what speaks against is 0.
  std::vector<float> map = whole.map;
  const float most = map.empty() ? 0 : *std::max_element(map.begin(), map.end());
  for (float & value : map) {
    value = most > 0 ? std::max(value, 0.0f) / most : 0;
  }
  draw_patch(canvas, {corner, map_}, {map_tile(map), {}}, ink);
  const cv::Point text = corner + cv::Point(pair_x(0), side_ / 2);
  const int room = 2 * side_ + kTileGap;
  draw_text(canvas, shortened("the image as a whole:", room, {15, kInk}), text, {15, kInk});
  draw_text(
    canvas, shortened("where it looks like its class, most = 1", room, kCaption),
    text + cv::Point(0, 22), kCaption);
  const cv::Rect area(corner.x + formula_x(), corner.y, width_ - formula_x(), side_);
  const std::string weight = "weight " + number(whole.weight);
  draw_share(
    canvas, area, {weight, "h " + number_from_log(whole.log_likelihood)}, whole.contribution,
    whole.class_id, ink);
}

std::string ClassPanel::amount(double share, int class_id) const
{
  const double density = log_density(class_id);
  return is_product() ? "+ " + number(share * (density - log_nothing()))
                      : number_from_log(std::log(share) + density);
}

std::vector<float> ClassPanel::likeness(std::vector<float> map) const
{
  const auto inverse = static_cast<float>(1 / manifest_.model.head.concentration);
  for (float & likelihood : map) {
    likelihood = std::pow(std::max(likelihood, 0.0f), inverse);  // 0 for NaN
  }
  return map;
}

cv::Mat ClassPanel::map_tile(const std::vector<float> & map) const
{
  const double scale_x = static_cast<double>(small_.cols) / image_.cols;
  const double scale_y = static_cast<double>(small_.rows) / image_.rows;
  cv::Mat tile = small_.clone();
  blend_heat_map(
    tile, map, prediction_.map_rows, prediction_.map_cols,
    scaled(prediction_.seen, scale_x, scale_y), kHeatOpacity);
  return tile;
}

void ClassPanel::draw_formula(
  cv::Mat & canvas, const cv::Rect & area, const PrototypeEvidence & place,
  const cv::Scalar & ink) const
{
  const bool alone = place.merged.empty();
  const std::string name = "prototype " + std::to_string(place.prototype) +
                           (alone ? "" : " + " + std::to_string(place.merged.size()) + " near it");
  const std::string h = "h " + number_from_log(place.log_likelihood);
  const std::string terms = "pi " + number(place.prior) + (is_product() ? ", " : " x ") + h +
                            (alone          ? ""
                             : is_product() ? ", ..."
                                            : " + ...");
  draw_share(canvas, area, {name, terms}, place.contribution, place.class_id, ink);
}

void ClassPanel::draw_share(
  cv::Mat & canvas, const cv::Rect & area, const std::vector<std::string> & lines, double share,
  int class_id, const cv::Scalar & ink) const
{
  const cv::Point start(area.x, area.y + (area.height - kFormulaHeight) / 2);
  const auto line = [&](const std::string & text, int y, const TextStyle & style) {
    draw_text(canvas, shortened(text, area.width, style), start + cv::Point(0, y), style);
  };
  line(lines[0], 12, kCaption);
  line(lines[1], 36, fitting(lines[1], area.width, {15, kInk}, 12));
  line((is_product() ? "" : "= ") + amount(share, class_id), 62, {20, kInk, true});

  const cv::Rect bar(start.x, start.y + 73, area.width, 6);
  cv::rectangle(canvas, bar, kTile, cv::FILLED);
  if (share > 0) {  // false for NaN
    const int filled = std::max(1, cvRound(std::min(share, 1.0) * bar.width));
    cv::rectangle(canvas, cv::Rect(bar.tl(), cv::Size(filled, bar.height)), ink, cv::FILLED);
  }
  const bool finite = std::isfinite(share);
  const std::string of = percent(share) + (is_product() ? " of all that is added" : " of p(x|c)");
  line(finite ? of : "share not finite", 97, kCaption);
}

void ClassPanel::draw_sums(
  cv::Mat & canvas, cv::Point corner, const ClassEvidence & evidence, const cv::Scalar & ink) const
{
  cv::Point baseline = corner + cv::Point(0, 14);
  const double density = log_density(evidence.class_id);

  std::size_t all = 0;
  std::size_t not_shown = 0;
  double their_share = 0;
  for (std::size_t i = 0; i < evidence.places.size(); ++i) {
    const PrototypeEvidence & place = evidence.places[i];
    const std::size_t prototypes = 1 + place.merged.size();
    all += prototypes;
    if (static_cast<int>(i) >= places_) {
      not_shown += prototypes;
      their_share += place.contribution;
    }
  }
  if (not_shown > 0) {
    draw_sum(
      canvas, baseline, "... + " + std::to_string(not_shown) + " more",
      amount(their_share, evidence.class_id), {15, kInk});
    baseline.y += kLineHeight;
  }

  cv::rectangle(
    canvas, cv::Rect(baseline.x + formula_x(), baseline.y - 21, width_ - formula_x(), 1), kInk,
    cv::FILLED);
  const std::string terms =
    std::to_string(all) + " prototypes" + (evidence.whole ? " and the whole" : "");
  draw_sum(
    canvas, baseline,
    is_product() ? number(log_nothing()) + " + all of it:  log p(x|c)"
                 : "sum over all " + terms + ":  p(x|c)",
    is_product() ? number(density) : number_from_log(density), {17, kInk, true});
  baseline.y += kLineHeight;
  const auto index = static_cast<std::size_t>(evidence.class_id);
  const double prior = evidence.class_id >= 0 && index < manifest_.class_priors.size()
                         ? manifest_.class_priors[index]
                         : std::numeric_limits<double>::quiet_NaN();
  draw_sum(
    canvas, baseline,
    "p(c) p(x|c) / p(x) = " + number(prior) + " x " + number_from_log(density) + " / " +
      number_from_log(prediction_.log_density),
    number(posterior_of(prediction_, evidence.class_id)), {17, ink, true});
}

void ClassPanel::draw_not_found(
  cv::Mat & canvas, cv::Point corner, const ClassEvidence & evidence, const cv::Scalar & ink) const
{
  const std::string label = evidence.missing.empty()
                              ? "no part of the class is missing"
                              : std::to_string(evidence.missing.size()) + " not found here:";
  draw_text(canvas, label, corner + cv::Point(0, kNotFoundHeight / 2 + 4), kCaption);
  cv::Rect tile(corner, cv::Size(kNotFoundHeight, kNotFoundHeight));
  tile.x += text_width(label, kCaption) + kTileGap;
  for (const int prototype : evidence.missing) {
    const auto index = static_cast<std::size_t>(prototype);
    const auto & all = manifest_.prototypes;
    const PatchPicture patch = prototype >= 0 && index < all.size() && all[index]
                                 ? stored_patch(*all[index])
                                 : PatchPicture();
    if (patch.pixels.empty() || tile.br().x > corner.x + width_) {
      return;
    }
    draw_patch(canvas, tile, patch, ink);
    tile.x += kNotFoundHeight + kTileGap;
  }
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
