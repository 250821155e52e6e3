// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DATASETS__WARP_HPP_
#define DATASETS__WARP_HPP_

#include <opencv2/core/mat.hpp>
#include <opencv2/core/matx.hpp>

#include "mgproto_ros/model_config.hpp"

namespace mgproto
{

/// Samples an 8-bit BGR image bilinearly through a homography into RGB planes [3, size, size],
/// normalised. Coordinates are continuous, pixel centres at half numbers. As in PIL, the outermost
/// pixels reach to the image's edge undimmed, and all beyond the edge is black.
void warp(
  const cv::Mat & bgr, const cv::Matx33d & image_from_input, const PreprocessingConfig & config,
  float * input);

}  // namespace mgproto

#endif  // DATASETS__WARP_HPP_
