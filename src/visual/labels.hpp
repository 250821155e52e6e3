// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__LABELS_HPP_
#define VISUAL__LABELS_HPP_

#include <cstddef>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "visual/text.hpp"

namespace mgproto::visual
{

/// What is to stand at a box: the most telling text first, the shortest last.
struct Label
{
  cv::Rect box;
  std::vector<std::string> texts;
  cv::Scalar colour;
};

/// One for which there is room.
struct PlacedLabel
{
  std::size_t label = 0;  ///< its number
  cv::Rect place;
  std::string text;
};

/// As many labels as have room within `area`, the first ones first, none on another one and each
/// near its box, in all a sixth of it at most; then of each the most telling text for which there
/// is still room and which is not much wider than its box. One for which there is none is left out:
/// its box has its colour.
std::vector<PlacedLabel> place_labels(
  const std::vector<Label> & labels, const cv::Rect & area, const TextStyle & style);

/// Each with a line to its box where it is away from it.
void draw_labels(
  cv::Mat & canvas, const std::vector<Label> & labels, const std::vector<PlacedLabel> & placed,
  const TextStyle & style);

}  // namespace mgproto::visual

#endif  // VISUAL__LABELS_HPP_
