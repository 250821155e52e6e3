// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__OOD__VIM_HPP_
#define TRAINING__EVALUATE__OOD__VIM_HPP_

#include "training/evaluate/ood/image_outputs.hpp"

namespace mgproto
{

/// Dimensions of the principal space among D: 1000 from D = 2048 and 512 from D = 768 on, as in the
/// paper; D / 2 below. No more than half as many as there are training images: they span no more
/// than their number, and would leave no residual to learn from.
std::int64_t principal_dimensions(std::int64_t features, std::int64_t images);

/// Virtual-logit matching (Wang et al., CVPR 2022): energy of the logits minus the virtual logit,
/// alpha times the length of the feature's residual outside the principal space of the training
/// features about an origin.
///
/// The paper's origin o = -pinv(W) b is where a linear layer's logits are 0. Without such a layer
/// the origin is the mean of the training features.
///
/// alpha = sum of the largest training logits / sum of the training residuals. Logits that are log
/// densities make it negative, and a larger residual would raise the score; so its magnitude is
/// taken. Where the training features have no residual but rounding (fewer images than dimensions)
/// there is nothing to match: alpha = 0, the score is the energy.
class Vim
{
public:
  explicit Vim(const ImageOutputs & training);
  /// With the linear layer W [C, D], b [C].
  Vim(const ImageOutputs & training, const torch::Tensor & weight, const torch::Tensor & bias);

  torch::Tensor score(const ImageOutputs & images) const;  // [N]

private:
  void fit(const torch::Tensor & features, const torch::Tensor & logits);
  torch::Tensor residual(const torch::Tensor & features) const;  // [N]

  torch::Tensor origin_;      // [D]
  torch::Tensor complement_;  // [D, R], columns span what the principal space leaves
  double alpha_ = 0;
};

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__OOD__VIM_HPP_
