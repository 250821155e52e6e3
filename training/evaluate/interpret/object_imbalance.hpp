// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__INTERPRET__OBJECT_IMBALANCE_HPP_
#define TRAINING__EVALUATE__INTERPRET__OBJECT_IMBALANCE_HPP_

#include <torch/types.h>

#include <opencv2/core/mat.hpp>
#include <optional>

namespace mgproto
{

/// OIRR, the outside-inside relevance ratio: mean activation outside the object by mean activation
/// inside it. Both are means over all images before one is divided by the other: with a sharp
/// Gaussian the inside of a single image can be all but 0, and its ratio would drown the others'.
class ObjectImbalance
{
public:
  /// The likelihood maps [M, h, w] of the predicted class's prototypes, and the object's mask in
  /// the network's input [size, size]. A mask that is all object or all background is left out.
  void add(const torch::Tensor & maps, const cv::Mat & mask);

  /// None without any image, or if nothing was active inside an object.
  std::optional<double> result() const;

private:
  double outside_ = 0;  // sums over images
  double inside_ = 0;
};

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__INTERPRET__OBJECT_IMBALANCE_HPP_
