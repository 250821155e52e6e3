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

/// Fills the head's means and priors by find_class_prototypes(); a projection onto the same images finds
/// these means again.
PrototypeSearch find_prototypes(
  GaussianHead & head, const LocalFeatures & local, const torch::Tensor & class_means,
  std::uint64_t seed);

}  // namespace mgproto

#endif  // TRAINING__LEARN__CLOSED_FORM_HPP_
