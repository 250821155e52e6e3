// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__OOD__GEM_HPP_
#define TRAINING__EVALUATE__OOD__GEM_HPP_

#include "training/evaluate/ood/class_gaussians.hpp"

namespace mgproto
{

/// log sum_c exp(-d_c / 2), d_c the squared Mahalanobis distance to class c: the log density of a
/// mixture of the classes, up to a constant (GEM, Morteza & Li, AAAI 2022).
class Gem
{
public:
  explicit Gem(const ImageOutputs & training) : gaussians_(training) {}

  torch::Tensor score(const ImageOutputs & images) const;  // [N]

private:
  ClassGaussians gaussians_;
};

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__OOD__GEM_HPP_
