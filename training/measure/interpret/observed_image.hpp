// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__INTERPRET__OBSERVED_IMAGE_HPP_
#define TRAINING__MEASURE__INTERPRET__OBSERVED_IMAGE_HPP_

#include <torch/types.h>

#include <cstdint>
#include <opencv2/core/mat.hpp>
#include <set>
#include <vector>

#include "datasets/dataset.hpp"
#include "model/preprocessing.hpp"

namespace mgproto
{

/// What prototypes answered to one image, and the parts that the network saw in it.
struct ObservedImage
{
  torch::Tensor maps;                ///< likelihoods of neighbouring prototypes [M, h, w]
  std::int64_t first_prototype = 0;  ///< index in [K] of the first of them
  std::vector<PartLocation> parts;   ///< in pixels of the network's input
  int size = 0;                      ///< of the network's input, pixels a side
};

/// Half a side of the box around a prototype's maximum that consistency and stability look into, in
/// pixels of an input of 224.
constexpr double kBoxHalfSize = 36;

/// Parts in pixels of the network's input, without those that lie outside it.
std::vector<PartLocation> parts_in_input(
  const std::vector<PartLocation> & parts, const InputGeometry & geometry);

/// The mask as the network's input shows the object, 8-bit [size, size], 0 = background. Throws
/// ImageError if the mask has not the size of its image.
cv::Mat mask_in_input(const cv::Mat & mask, const InputGeometry & geometry);

/// The same of the object's bounding box in the original image.
cv::Mat box_in_input(const Box & box, const InputGeometry & geometry);

/// Bicubically, to float [size, size]. What is not a number counts as 0.
cv::Mat upsampled(const torch::Tensor & map /*[h, w]*/, int size);

/// The image's parts that lie in the square box around the maximum of the up-sampled map. Half its
/// side is given in pixels of an input of 224, and grows and shrinks with the input.
std::set<int> covered_parts(
  const torch::Tensor & map /*[h, w]*/, const ObservedImage & image, double half_size_at_224);

}  // namespace mgproto

#endif  // TRAINING__MEASURE__INTERPRET__OBSERVED_IMAGE_HPP_
