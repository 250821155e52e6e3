// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "visual/labels.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <optional>

#include "visual/label_place.hpp"

namespace mgproto::visual
{
namespace
{

constexpr double kWidestOverhang = 12;  // letters that a label may have even if its box has no room
constexpr int kMostCovered = 6;         // no more than a sixth of the area: labels hide things

int padding(const TextStyle & style) { return std::max(2, cvRound(0.35 * style.size)); }

cv::Size size_of(const std::string & text, const TextStyle & style)
{
  return {text_width(text, style) + 2 * padding(style), cvRound(1.45 * style.size)};
}

/// Rows between a label and its box; 0 if they touch.
int distance(const cv::Rect & box, const cv::Rect & place)
{
  return std::max({0, box.y - place.br().y, place.y - box.br().y});
}

std::vector<cv::Rect> places_but(const std::vector<PlacedLabel> & placed, std::size_t left_out)
{
  std::vector<cv::Rect> places;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (i != left_out) {
      places.push_back(placed[i].place);
    }
  }
  return places;
}

void draw_line_to_box(
  cv::Mat & canvas, const Label & label, const cv::Rect & place, const TextStyle & style)
{
  const cv::Rect & box = label.box;
  if (distance(box, place) == 0) {
    return;
  }
  const bool above = place.y < box.y;
  const int middle = place.x + place.width / 2;
  cv::line(
    canvas, {middle, above ? place.br().y : place.y},
    {std::clamp(middle, box.x, box.br().x), above ? box.y : box.br().y}, label.colour,
    std::max(1, cvRound(style.size / 8)), cv::LINE_AA);
}

}  // namespace

std::vector<PlacedLabel> place_labels(
  const std::vector<Label> & labels, const cv::Rect & area, const TextStyle & style)
{
  const auto room_of = [&](const Label & label) {
    const int wanted = std::max(label.box.width, cvRound(kWidestOverhang * style.size));
    return std::min(wanted, area.width) - 2 * padding(style);
  };
  int left = area.area() / kMostCovered;
  std::vector<PlacedLabel> placed;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::string text = shortened(labels[i].texts.back(), room_of(labels[i]), style);
    const auto place =
      label_place(labels[i].box, size_of(text, style), area, places_but(placed, placed.size()));
    if (place && place->area() <= left) {
      left -= place->area();
      placed.push_back({i, *place, text});
    }
  }
  for (std::size_t i = 0; i < placed.size(); ++i) {
    PlacedLabel & one = placed[i];
    const Label & label = labels[one.label];
    const std::vector<cv::Rect> others = places_but(placed, i);
    for (const std::string & text : label.texts) {
      if (text_width(text, style) > room_of(label)) {
        continue;
      }
      const auto place = label_place(label.box, size_of(text, style), area, others);
      if (
        place && distance(label.box, *place) <= distance(label.box, one.place) &&
        place->area() <= left + one.place.area()) {
        left += one.place.area() - place->area();
        one.place = *place;
        one.text = text;
        break;
      }
    }
  }
  return placed;
}

void draw_labels(
  cv::Mat & canvas, const std::vector<Label> & labels, const std::vector<PlacedLabel> & placed,
  const TextStyle & style)
{
  for (const PlacedLabel & one : placed) {  // under all labels
    draw_line_to_box(canvas, labels[one.label], one.place, style);
  }
  for (const PlacedLabel & one : placed) {
    const cv::Rect & place = one.place;
    cv::rectangle(canvas, place, labels[one.label].colour, cv::FILLED);
    const int baseline = place.y + cvRound(0.5 * place.height + 0.33 * style.size);
    draw_text(canvas, one.text, {place.x + padding(style), baseline}, style);
  }
}

}  // namespace mgproto::visual
