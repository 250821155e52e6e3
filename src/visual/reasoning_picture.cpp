// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "visual/reasoning_picture.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "mgproto_ros/error.hpp"
#include "model/evidence.hpp"
#include "visual/class_panel.hpp"
#include "visual/heat_map.hpp"
#include "visual/palette.hpp"
#include "visual/patch_picture.hpp"
#include "visual/text.hpp"
#include "visual/verdict_panel.hpp"

namespace mgproto::visual
{
namespace
{

// The layout, in pixels.
constexpr int kGap = 40;  // between columns, and between the top and the classes
constexpr int kContentWidth = kReasoningPictureWidth - 2 * kMargin;
constexpr int kColumnWidth = (kContentWidth - kGap) / 2;
constexpr int kInputWidth = 420;
constexpr int kInputHeight = kVerdictPanelHeight - 20;  // and its caption below

std::vector<ClassEvidence> first_classes(
  const Prediction & prediction, int count, double concentration)
{
  std::vector<ClassEvidence> classes;
  for (const auto & evidence : prediction.evidence) {
    auto known = std::find_if(classes.begin(), classes.end(), [&](const ClassEvidence & one) {
      return one.class_id == evidence.class_id;
    });
    if (known == classes.end()) {
      known = classes.insert(known, {evidence.class_id, {}});
    }
    known->places.push_back(evidence);
  }
  classes.resize(std::min(classes.size(), static_cast<std::size_t>(std::max(count, 0))));
  for (ClassEvidence & one : classes) {
    if (one.class_id == prediction.class_id && prediction.criterion == Criterion::joint) {
      one.missing = prediction.missing;
    } else {
      for (const PrototypeEvidence & prototype : one.places) {
        if (!is_found(prototype, concentration)) {
          one.missing.push_back(prototype.prototype);
        }
      }
    }
    one.places = merge_places(one.places);
    for (const WholeEvidence & whole : prediction.wholes) {
      if (whole.class_id == one.class_id) {
        one.whole = whole;
      }
    }
  }
  return classes;
}

/// Draws the image with a caption. Returns the width they took.
int draw_input(cv::Mat & canvas, cv::Point corner, const cv::Mat & image, const SeenRegion & seen)
{
  const cv::Size size = fitted(image.size(), {kInputWidth, kInputHeight});
  const SeenRegion region = scaled(
    seen, static_cast<double>(size.width) / image.cols,
    static_cast<double>(size.height) / image.rows);
  cv::Mat input = resized(image, size);
  darken_unseen(input, region);
  input.copyTo(canvas(cv::Rect(corner, size)));

  const cv::Rect area = pixels(region, size);
  const TextStyle style{13, kFaintInk};
  std::string caption = std::to_string(image.cols) + " x " + std::to_string(image.rows) + " px";
  if (!area.empty() && area.size() != size) {
    caption += ", dark: not seen by the network";
  }
  draw_text(canvas, caption, corner + cv::Point(0, size.height + 18), style);
  return std::max(size.width, text_width(caption, style));
}

int most_places(const std::vector<ClassEvidence> & classes)
{
  std::size_t most = 0;
  for (const auto & evidence : classes) {
    most = std::max(most, evidence.places.size());
  }
  return static_cast<int>(most);
}

}  // namespace

cv::Mat reasoning_picture(
  const cv::Mat & image_bgr, const Prediction & prediction, const Manifest & manifest,
  const ReasoningOptions & options)
{
  if (image_bgr.empty() || image_bgr.type() != CV_8UC3) {
    throw ImageError("the image to explain must be 8-bit BGR and have pixels");
  }
  const std::vector<ClassEvidence> classes =
    first_classes(prediction, options.classes, manifest.model.head.concentration);
  const int rows = std::clamp(options.prototypes_per_class, 0, most_places(classes));
  const ClassPanel panel(image_bgr, prediction, manifest, kColumnWidth, rows);

  // Image and verdict side by side, the classes in two columns below them. A single class would
  // leave half of that empty: then the image is above the verdict, and the class beside them.
  const bool single = classes.size() == 1;
  const int top_height = single ? 2 * kVerdictPanelHeight + kGap : kVerdictPanelHeight;
  const int panel_rows = static_cast<int>(classes.size() + 1) / 2;
  const int height = single ? std::max(top_height, panel.height())
                            : top_height + panel_rows * (kGap + panel.height());
  cv::Mat canvas(height + 2 * kMargin, kReasoningPictureWidth, CV_8UC3, kPaper);

  const cv::Point corner(kMargin, kMargin);
  const int input_width = draw_input(canvas, corner, image_bgr, prediction.seen);
  const cv::Point verdict =
    single ? cv::Point(0, kVerdictPanelHeight + kGap) : cv::Point(input_width + kGap, 0);
  const int verdict_width = single ? kColumnWidth : kContentWidth - verdict.x;
  draw_verdict(canvas, corner + verdict, verdict_width, prediction, manifest);

  if (single) {
    panel.draw(
      canvas, corner + cv::Point(kColumnWidth + kGap, 0), classes.front(), class_colour(0));
    return canvas;
  }
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const cv::Point place(
      static_cast<int>(i % 2) * (kColumnWidth + kGap),
      top_height + kGap + static_cast<int>(i / 2) * (panel.height() + kGap));
    panel.draw(canvas, corner + place, classes[i], class_colour(i));
  }
  return canvas;
}

}  // namespace mgproto::visual
