// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__LOCATE_HPP_
#define PERCEPTION__LOCATE_HPP_

#include <string>

#include "perception/depth_store.hpp"
#include "perception/frame_prediction.hpp"
#include "perception/settings.hpp"

namespace mgproto::perception
{

/// What the position of a region is about: a detector's box itself. Of a whole image that is known,
/// the box around the places that are told as evidence; of any other one its middle half.
Box located_box(const FramePrediction & frame, const RegionPrediction & region);

/// Gives the regions their positions, as far as the depth in them says it, and the frame its
/// `has_depth`. Without depth for the frame nothing changes, and the text says what is missing.
std::string locate(FramePrediction & frame, const DepthStore & store, const Settings & settings);

}  // namespace mgproto::perception

#endif  // PERCEPTION__LOCATE_HPP_
