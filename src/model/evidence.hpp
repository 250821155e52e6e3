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

/// The order of evidence: by falling contribution, one that is not a number last.
bool contributes_more(const PrototypeEvidence & a, const PrototypeEvidence & b);

/// A class's prototypes, given in that order, as places in that order. A prototype whose maximum is
/// less than two cells of the feature map from that of a stronger place is merged into it.
std::vector<PrototypeEvidence> merge_places(const std::vector<PrototypeEvidence> & prototypes);

/// Whether the image has the part at all: the best place makes an angle of at most 60 degrees with
/// the prototype, so that it is more like it than like anything at right angles to it. kappa is the
/// model's concentration. False for a likelihood that is not a number.
bool is_found(const PrototypeEvidence & prototype, double kappa);

}  // namespace mgproto

#endif  // MODEL__EVIDENCE_HPP_
