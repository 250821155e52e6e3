// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__OVERLAY_HPP_
#define PERCEPTION__OVERLAY_HPP_

#include <opencv2/core/mat.hpp>

#include "mgproto_ros/image_view.hpp"
#include "perception/frame_prediction.hpp"
#include "perception/settings.hpp"

namespace mgproto::perception
{

/// The frame with its prediction drawn on it, 8-bit BGR, in the frame's own size, so that the
/// camera's geometry holds for it. A whole image gets its verdict in words, the heat map of the
/// strongest place, boxes of the strongest ones, up to three with their shares, and what decides
/// beside the threshold. Regions get a box each with their verdict. No label covers another. Words
/// are as large as the frame allows, say less in a small one, and are left out where they could not
/// be read. `frame` must have a model; evidence without maps gets no heat map.
cv::Mat draw_overlay(
  const ImageView & image, const FramePrediction & frame, const Settings & settings);

}  // namespace mgproto::perception

#endif  // PERCEPTION__OVERLAY_HPP_
