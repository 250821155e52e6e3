// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__MIXTURE__CLASS_PROTOTYPES_HPP_
#define MODEL__MIXTURE__CLASS_PROTOTYPES_HPP_

#include <torch/types.h>

#include <cstdint>

namespace mgproto
{

/// Prototypes of a class that were found among the patches of its images.
struct ClassPrototypes
{
  torch::Tensor means;   ///< [M, D]
  torch::Tensor priors;  ///< [M]: d', less where a stronger one looks at the same place, as shares
  torch::Tensor image;   ///< of the class's images [M]
  torch::Tensor position;  ///< of the patch in that image's map [M]
  torch::Tensor apart;     ///< d' [M]
  std::int64_t candidates = 0;
  double apart_of_all = 0;  ///< sum of all candidates' d'
};

/// Prototypes of one class without gradients, of unit vectors [N, D, P] of its own images and of others:
///  1. features that are nearer to its own class than to another in the first numbers, those of
///     `class_means` [C, class_dim]: the others are background, or what all classes have. All of them
///     if there are no such numbers;
///  2. centres among them, three for each prototype: k-means++ and sharp EM;
///  3. around each centre the patches of a few images, of which the one that tells the class best
///     stands for it: d' is the difference of the mean similarity to images of the class and to
///     others, in standard deviations, the patch's own image left out. A patch that fires on other
///     classes' images, or on any background, has a small one;
///  4. of these the ones with the largest d', each of another image while there are enough.
ClassPrototypes find_class_prototypes(
  const torch::Tensor & features /*[N, D, P]*/, const torch::Tensor & is_own /*[N]*/,
  std::int64_t map_cols, const torch::Tensor & class_means, std::int64_t class_id, std::int64_t M,
  std::uint64_t seed);

}  // namespace mgproto

#endif  // MODEL__MIXTURE__CLASS_PROTOTYPES_HPP_
