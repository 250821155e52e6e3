// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__PAIR_PICTURE_HPP_
#define VISUAL__PAIR_PICTURE_HPP_

#include <opencv2/core.hpp>

#include "mgproto_ros/manifest.hpp"
#include "mgproto_ros/prediction.hpp"

namespace mgproto::visual
{

/// "This looks like that": a place of the image in one tile, the training patch of its prototype in
/// the other, both at one scale. What cannot be shown is named in its tile.
void draw_pair(
  cv::Mat & canvas, const cv::Rect & this_tile, const cv::Rect & that_tile, const cv::Mat & image,
  const PrototypeEvidence & place, const Manifest & manifest, const cv::Scalar & ink);

}  // namespace mgproto::visual

#endif  // VISUAL__PAIR_PICTURE_HPP_
