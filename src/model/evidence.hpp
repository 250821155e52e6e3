// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__EVIDENCE_HPP_
#define MODEL__EVIDENCE_HPP_

#include <vector>

#include "mgproto_ros/prediction.hpp"
#include "model/preprocessing.hpp"

namespace mgproto
{

/// The box of a prototype: the bounding box, in the original image, of all input pixels at or above
/// the 95th percentile of the likelihood map [rows, cols] up-sampled bicubically to the input size.
Box activation_box(
  const std::vector<float> & map, int rows, int cols, const InputGeometry & geometry);

}  // namespace mgproto

#endif  // MODEL__EVIDENCE_HPP_
