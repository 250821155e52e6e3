// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__OOD__CLASS_GAUSSIANS_HPP_
#define TRAINING__EVALUATE__OOD__CLASS_GAUSSIANS_HPP_

#include "training/evaluate/ood/image_outputs.hpp"

namespace mgproto
{

/// A Gaussian for each class that the training split has, over pooled features: its own mean, one
/// covariance for all, both by maximum likelihood (divided by N).
///
/// A singular covariance is pseudo-inverted: a direction in which the images of a class do not
/// vary, or by less than a millionth of the largest deviation (float32's rounding), does not count.
/// Without any variation all distances are 0.
class ClassGaussians
{
public:
  explicit ClassGaussians(const ImageOutputs & training);

  /// Squared Mahalanobis distances to the classes [N, C].
  torch::Tensor squared_distances(const torch::Tensor & features /*[N, D]*/) const;

private:
  torch::Tensor whitening_;  // [D, R], R the rank of the covariance
  torch::Tensor means_;      // [C, R], whitened
};

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__OOD__CLASS_GAUSSIANS_HPP_
