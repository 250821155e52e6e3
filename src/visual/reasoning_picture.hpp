// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__REASONING_PICTURE_HPP_
#define VISUAL__REASONING_PICTURE_HPP_

#include <opencv2/core.hpp>

#include "mgproto_ros/manifest.hpp"
#include "mgproto_ros/prediction.hpp"

namespace mgproto::visual
{

struct ReasoningOptions
{
  int classes = 2;
  int prototypes_per_class = 3;
};

constexpr int kReasoningPictureWidth = 1400;

/// One figure of a decision: the image and the verdict on top; below, for each of the first classes
/// of the evidence, its strongest places (the likelihood map, this part, the training patch that it
/// looks like, prior x likelihood), the sum p(x|c) and the posterior p(c|x).
///
/// The evidence must hold all prototypes of each class shown, by falling contribution. The picture
/// is 8-bit BGR and kReasoningPictureWidth wide whatever the image's size; its height depends on
/// the options and the image's shape. Values that are missing or not finite are named as such.
/// Throws ImageError unless the image is 8-bit BGR and has pixels.
cv::Mat reasoning_picture(
  const cv::Mat & image_bgr, const Prediction & prediction, const Manifest & manifest,
  const ReasoningOptions & options = {});

}  // namespace mgproto::visual

#endif  // VISUAL__REASONING_PICTURE_HPP_
