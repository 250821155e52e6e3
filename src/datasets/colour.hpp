// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DATASETS__COLOUR_HPP_
#define DATASETS__COLOUR_HPP_

#include <opencv2/core/mat.hpp>

#include "datasets/augmentation.hpp"

namespace mgproto
{

/// Memory that change_colours() reuses between images.
struct ColourScratch
{
  cv::Mat grey;
  cv::Mat other;
};

/// torchvision's ColorJitter on an 8-bit BGR image, in place, with the factors and in the order of
/// `draw`.
void change_colours(const AugmentationDraw & draw, cv::Mat & bgr, ColourScratch & scratch);

}  // namespace mgproto

#endif  // DATASETS__COLOUR_HPP_
