// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__LEARN__CLOSED_FORM_HPP_
#define TRAINING__LEARN__CLOSED_FORM_HPP_

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "model/heads/gaussian_head.hpp"

namespace mgproto
{

/// Local features of training images, kept to find prototypes in.
struct LocalFeatures
{
  torch::Tensor features;            ///< unit vectors [N, D, P]
  std::vector<std::int64_t> labels;  ///< [N]
  std::int64_t map_cols = 1;         ///< P = rows * map_cols
};

/// How the prototypes were found.
struct PrototypeSearch
{
  std::int64_t candidates = 0;  ///< of all classes
  std::int64_t kept = 0;
  double told_apart_kept = 0;     ///< mean d' of those that were kept
  double told_apart_dropped = 0;  ///< and of the others
};

/// Prototypes without gradients. For each class:
///  1. features that are nearer to its own class than to another in the first numbers, those of
///     `class_means` [C, class_dim]: the others are background, or what all classes have;
///  2. centres among them, three for each prototype: k-means++ and sharp EM;
///  3. around each centre the patches of a few images, of which the one that tells the class best
///     stands for it: d' is the difference of the mean similarity to images of the class and to
///     others, in standard deviations, the patch's own image left out. A patch that fires on other
///     classes' images, or on any background, has a small one;
///  4. of these the ones with the largest d', each of another image while there are enough.
/// Fills the head's means, which a projection onto the same images finds again, and its priors: d',
/// less where a stronger prototype looks at the same place, as shares of 1.
PrototypeSearch find_prototypes(
  GaussianHead & head, const LocalFeatures & local, const torch::Tensor & class_means,
  std::uint64_t seed);

}  // namespace mgproto

#endif  // TRAINING__LEARN__CLOSED_FORM_HPP_
