// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__GROUND__LAST_LAYER_HPP_
#define TRAINING__GROUND__LAST_LAYER_HPP_

#include "training/pass/image_outputs.hpp"

namespace mgproto
{

/// What ProtoPNet does behind each projection, with its published settings: cross-entropy of the last
/// layer alone and 1e-4 of the L1 norm of its connections to other classes, Adam at 1e-4, 20 rounds.
/// One pass over the images, whose similarities are then kept. Images as the loader gives them.
/// Nothing to do for a head without PrototypeHead::last_layer().
void fit_last_layer(Network & network, Loader & loader, const Progress & progress = {});

}  // namespace mgproto

#endif  // TRAINING__GROUND__LAST_LAYER_HPP_
