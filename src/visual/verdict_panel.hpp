// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__VERDICT_PANEL_HPP_
#define VISUAL__VERDICT_PANEL_HPP_

#include <opencv2/core.hpp>
#include <string>

#include "mgproto_ros/manifest.hpp"
#include "mgproto_ros/prediction.hpp"

namespace mgproto::visual
{

constexpr int kVerdictPanelHeight = 300;

/// The class's name, or "class 7" if the manifest has none for it.
std::string class_name(const Manifest & manifest, int class_id);

/// p(c|x), or NaN if the prediction has none for it.
double posterior_of(const Prediction & prediction, int class_id);

/// Draws what was decided and why it may be: the best class, log p(x), the threshold, the
/// typicality, and where the score lies among those of the calibration images. Needs
/// kVerdictPanelHeight pixels from top to bottom.
void draw_verdict(
  cv::Mat & canvas, cv::Point top_left, int width, const Prediction & prediction,
  const Manifest & manifest);

}  // namespace mgproto::visual

#endif  // VISUAL__VERDICT_PANEL_HPP_
