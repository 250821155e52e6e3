// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "visual/contact_sheet.hpp"

#include <algorithm>

#include "mgproto_ros/error.hpp"
#include "visual/pair_picture.hpp"
#include "visual/palette.hpp"
#include "visual/patch_picture.hpp"
#include "visual/text.hpp"
#include "visual/verdict_panel.hpp"

namespace mgproto::visual
{
namespace
{

// The layout of a cell, in pixels.
constexpr int kSheetTile = 104;
constexpr int kSheetTileGap = 6;
constexpr int kCellCaption = 42;  // the answer, and below it the image's name
constexpr int kCellShare = 18;
constexpr int kCellImageWidth = 210;
constexpr int kCellImageHeight = 2 * kSheetTile + kSheetTileGap;
constexpr int kCellGap = 26;
constexpr int kCellWidth = kCellImageWidth + kSheetReasons * (kSheetTile + kSheetTileGap);
constexpr int kCellHeight = kCellCaption + kCellImageHeight + kCellShare;

std::string answer(const Prediction & prediction, const Manifest & manifest)
{
  if (prediction.class_id < 0) {
    return "no class";
  }
  const std::string text = class_name(manifest, prediction.class_id) + "  " +
                           percent(posterior_of(prediction, prediction.class_id));
  return prediction.verdict == Verdict::unknown ? "UNKNOWN, nearest " + text : text;
}

}  // namespace

ContactSheet::ContactSheet(const Manifest & manifest, std::size_t count, int columns)
: manifest_(manifest), columns_(std::clamp(columns, 1, std::max(1, static_cast<int>(count))))
{
  const int rows = (static_cast<int>(count) + columns_ - 1) / columns_;
  canvas_ = cv::Mat(
    rows * (kCellHeight + kCellGap) - kCellGap + 2 * kMargin,
    columns_ * (kCellWidth + kCellGap) - kCellGap + 2 * kMargin, CV_8UC3, kPaper);
}

void ContactSheet::add(
  const cv::Mat & image_bgr, const Prediction & prediction, const std::string & name)
{
  if (image_bgr.empty() || image_bgr.type() != CV_8UC3) {
    throw ImageError("the image to explain must be 8-bit BGR and have pixels");
  }
  const cv::Point corner(
    kMargin + count_ % columns_ * (kCellWidth + kCellGap),
    kMargin + count_ / columns_ * (kCellHeight + kCellGap));
  ++count_;

  const std::string text = answer(prediction, manifest_);
  const TextStyle bold =
    fitting(text, kCellWidth, {16, verdict_colour(prediction.verdict), true}, 11);
  draw_text(canvas_, shortened(text, kCellWidth, bold), corner + cv::Point(0, 15), bold);
  draw_text(canvas_, shortened(name, kCellWidth, kSmall), corner + cv::Point(0, 34), kSmall);

  const cv::Point top = corner + cv::Point(0, kCellCaption);
  cv::Mat small = resized(
    image_bgr, fitted(image_bgr.size(), {kCellImageWidth - kSheetTileGap, kCellImageHeight}));
  int reasons = 0;
  for (const PrototypeEvidence & place : prediction.evidence) {
    if (place.class_id != prediction.class_id || reasons == kSheetReasons) {
      continue;
    }
    const cv::Scalar ink = class_colour(reasons);
    const cv::Rect box = pixels(place.box, image_bgr.size());
    draw_box(small, scaled(box, image_bgr.size(), small.size()), ink);
    const cv::Rect tile(
      top.x + kCellImageWidth + reasons * (kSheetTile + kSheetTileGap), top.y, kSheetTile,
      kSheetTile);
    draw_pair(
      canvas_, tile, tile + cv::Point(0, kSheetTile + kSheetTileGap), image_bgr, place, manifest_,
      ink);
    draw_text(
      canvas_, percent(place.contribution), {tile.x, top.y + kCellImageHeight + 14},
      {12, ink, true});
    ++reasons;
  }
  small.copyTo(canvas_(cv::Rect(top, small.size())));
}

}  // namespace mgproto::visual
