// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__OOD__MAHALANOBIS_HPP_
#define TRAINING__EVALUATE__OOD__MAHALANOBIS_HPP_

#include "training/evaluate/ood/class_gaussians.hpp"

namespace mgproto
{

/// Minus the squared Mahalanobis distance to the nearest class (Lee et al., NeurIPS 2018), of the
/// pooled features alone: without the paper's input noise and its ensemble of layers.
class Mahalanobis
{
public:
  explicit Mahalanobis(const ImageOutputs & training) : gaussians_(training) {}

  torch::Tensor score(const ImageOutputs & images) const;  // [N]

private:
  ClassGaussians gaussians_;
};

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__OOD__MAHALANOBIS_HPP_
