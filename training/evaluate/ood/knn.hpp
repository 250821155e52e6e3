// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__OOD__KNN_HPP_
#define TRAINING__EVALUATE__OOD__KNN_HPP_

#include "training/evaluate/ood/image_outputs.hpp"

namespace mgproto
{

/// 50 neighbours, the paper's number for CIFAR-10, but no more than half of the images that a class
/// has on average: others are neighbours for no reason.
std::int64_t neighbours_within_classes(const torch::Tensor & labels /*[N]*/);

/// Minus the distance to the k-th nearest training image, features L2-normalised (Sun et al., ICML
/// 2022). k = 50 is the paper's for CIFAR-10; with fewer images it is the farthest. A feature of
/// length 0 stays 0.
class Knn
{
public:
  explicit Knn(const ImageOutputs & training, std::int64_t k = 50);

  torch::Tensor score(const ImageOutputs & images) const;  // [N]

private:
  torch::Tensor features_;  // [N, D] of the training images, unit vectors
  std::int64_t k_ = 0;      // within 1 and N
};

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__OOD__KNN_HPP_
