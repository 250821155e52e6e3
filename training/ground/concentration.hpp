// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__GROUND__CONCENTRATION_HPP_
#define TRAINING__GROUND__CONCENTRATION_HPP_

#include "training/pass/pass.hpp"

namespace mgproto
{

/// The concentration with which p(c|x) of these images, which nothing was learnt from, has the
/// smallest cross-entropy: wide Gaussians make a right answer look doubtful, narrow ones a wrong one
/// certain. One pass over the images. Of MGProto alone.
double fitted_concentration(Network & network, Loader & loader, const Progress & progress = {});

}  // namespace mgproto

#endif  // TRAINING__GROUND__CONCENTRATION_HPP_
