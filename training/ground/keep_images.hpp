// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__GROUND__KEEP_IMAGES_HPP_
#define TRAINING__GROUND__KEEP_IMAGES_HPP_

#include "training/pass/pass.hpp"

namespace mgproto
{

/// Images as the network sees them, in one pass.
SeenImages see_images(
  Network & network, const Dataset & dataset, const LoaderConfig & config,
  const Progress & progress);

/// The network keeps what it sees of held-out images, of many an even choice, so that it can be taught
/// more classes; those that taught it some already stay.
void keep_images(
  Network & network, const Dataset & held_out, const LoaderConfig & loader,
  const Progress & progress);

}  // namespace mgproto

#endif  // TRAINING__GROUND__KEEP_IMAGES_HPP_
