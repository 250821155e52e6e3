// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__GROUND__FAMILIARITY_FIT_HPP_
#define TRAINING__GROUND__FAMILIARITY_FIT_HPP_

#include "training/pass/pass.hpp"

namespace mgproto
{

/// Gives a network of mixtures, prototypes where they are to stay, the familiarity with its training
/// images. One pass over them.
void fit_familiarity(Network & network, Loader & loader, const Progress & progress = {});

}  // namespace mgproto

#endif  // TRAINING__GROUND__FAMILIARITY_FIT_HPP_
