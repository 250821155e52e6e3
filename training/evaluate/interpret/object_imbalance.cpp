// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/interpret/object_imbalance.hpp"

#include <torch/torch.h>

#include <opencv2/core.hpp>

#include "training/evaluate/interpret/observed_image.hpp"

namespace mgproto
{

void ObjectImbalance::add(const torch::Tensor & maps, const cv::Mat & mask)
{
  const int object = cv::countNonZero(mask);
  if (object == 0 || object == static_cast<int>(mask.total())) {
    return;
  }
  // Up-sampling is linear, so the prototypes' mean comes first. Bicubic curves swing below 0, where
  // there is no activation.
  const cv::Mat activation = cv::max(upsampled(maps.mean(0), mask.cols), 0);
  outside_ += cv::mean(activation, mask == 0)[0];
  inside_ += cv::mean(activation, mask != 0)[0];
}

std::optional<double> ObjectImbalance::result() const
{
  if (inside_ <= 0) {
    return {};
  }
  return outside_ / inside_;
}

}  // namespace mgproto
