// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__LABEL_PLACE_HPP_
#define VISUAL__LABEL_PLACE_HPP_

#include <opencv2/core.hpp>
#include <optional>
#include <vector>

namespace mgproto::visual
{

/// Where a label of this size can stand: within `area`, on none of `taken`, and as near to its box as
/// that allows, preferably above it. Nothing if there is no such place near the box.
std::optional<cv::Rect> label_place(
  const cv::Rect & box, cv::Size size, const cv::Rect & area, const std::vector<cv::Rect> & taken);

}  // namespace mgproto::visual

#endif  // VISUAL__LABEL_PLACE_HPP_
