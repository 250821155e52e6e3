// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__PICTURES__PATCHES_AND_FEATURES_HPP_
#define TRAINING__MEASURE__PICTURES__PATCHES_AND_FEATURES_HPP_

#include <vector>

#include "training/ground/projection.hpp"
#include "training/pass/pass.hpp"

namespace mgproto
{

/// What pictures of a model's classes show of labelled images.
struct PatchesAndFeatures
{
  /// [K] patches of the class's images that are nearest to a prototype, best first, one an image.
  std::vector<std::vector<PatchCandidate>> nearest;
  /// [C] of [N, D]: features where the prototypes of the class are most likely, each distinct
  /// position of an image once, as the memory of the training holds them; of more than asked for a
  /// fair draw, the same every time. A class without images has N = 0.
  std::vector<torch::Tensor> features;
  std::vector<std::int64_t> images;  ///< [C] images seen
};

/// One pass over the images. Puts the network into evaluation mode. `loader` must not augment.
PatchesAndFeatures gather_patches_and_features(
  Network & network, Loader & loader, std::size_t nearest_patches, std::size_t most_features,
  const Progress & progress = {});

}  // namespace mgproto

#endif  // TRAINING__MEASURE__PICTURES__PATCHES_AND_FEATURES_HPP_
