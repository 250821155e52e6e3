// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__INTERPRET__SHOWN_PART_HPP_
#define TRAINING__MEASURE__INTERPRET__SHOWN_PART_HPP_

#include <torch/types.h>

#include <cstdint>
#include <opencv2/core/types.hpp>
#include <utility>
#include <vector>

namespace mgproto
{

/// Prototypes that an explanation shows of an image: those that add most to the predicted class.
constexpr std::int64_t kShownPrototypes = 3;

/// What an explanation points at with one prototype.
struct ShownPart
{
  std::int64_t prototype = 0;  ///< index in [K]
  float likelihood = 0;        ///< the highest of its map
  cv::Point cell;              ///< of the map, where that is
  cv::Point maximum;           ///< highest point of the up-sampled map, a pixel of the input
  cv::Rect box;                ///< activation_box() in pixels of the input
  /// False if the box takes up more than half of the input, as that of a constant map does.
  bool is_part = true;
};

/// The prototypes of one class, its range in [K], that add most to it, most first: three, or as many
/// as it has. None if a number is not finite.
std::vector<ShownPart> shown_parts(
  const torch::Tensor & maps /*likelihoods [K, h, w]*/, const torch::Tensor & contributions /*[K]*/,
  const std::pair<std::int64_t, std::int64_t> & range, int input_size);

}  // namespace mgproto

#endif  // TRAINING__MEASURE__INTERPRET__SHOWN_PART_HPP_
