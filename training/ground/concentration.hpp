// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__GROUND__CONCENTRATION_HPP_
#define TRAINING__GROUND__CONCENTRATION_HPP_

#include "training/pass/pass.hpp"

namespace mgproto
{

/// The concentration with which p(c|x) of images that nothing was learnt from has the smallest
/// cross-entropy: wide Gaussians make a right answer look doubtful, narrow ones a wrong one certain. One
/// answer more than the n seen is taken for wrong, so that no number of right ones makes it infinite.
/// From PrototypeHead::similarity() [N, K (+ C)] of the images and their labels [N].
double fitted_concentration(
  const GaussianHead & head, const torch::Tensor & similarity, const torch::Tensor & labels);

/// The same of images that are looked at for it. Of MGProto alone.
double fitted_concentration(Network & network, Loader & loader, const Progress & progress = {});

}  // namespace mgproto

#endif  // TRAINING__GROUND__CONCENTRATION_HPP_
