// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__FRAME_PREDICTION_HPP_
#define PERCEPTION__FRAME_PREDICTION_HPP_

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mgproto_ros/manifest.hpp"
#include "mgproto_ros/prediction.hpp"
#include "perception/frame.hpp"
#include "perception/position.hpp"

namespace mgproto::perception
{

/// The model in use, as much as its readers need.
struct ModelInfo
{
  std::string id;  ///< file name and the first digits of the tensors' hash
  std::string path;
  std::string device;
  int version = 1;    ///< one more with every model that this node has loaded
  Manifest manifest;  ///< the patches with their boxes drawn in, for viewers
};

/// What the model says about one region of one frame. All boxes are in pixels of the frame.
struct RegionPrediction
{
  Box region;
  std::string detection_id;     ///< empty for the whole image
  std::string detection_class;  ///< what the detector takes it for
  double detection_score = std::numeric_limits<double>::quiet_NaN();
  /// Why a detection could not be looked at, such as a box outside of the image. If it is not empty,
  /// the prediction says nothing, and the reason is this.
  std::string problem;
  Prediction prediction;  ///< its verdict is this frame's own
  std::string reason;     ///< why the verdict is not `known`; empty if it is
  /// The verdict over time: hysteresis applied. Not finite and uncalibrated are always unknown.
  bool unknown = true;
  std::string unknown_reason;        ///< empty if it is not
  std::optional<Position> position;  ///< where there is depth
};

/// What the model says about one frame.
struct FramePrediction
{
  int camera = 0;
  Header header;
  int width = 0;  ///< of the frame
  int height = 0;
  std::shared_ptr<const ModelInfo> model;
  std::vector<RegionPrediction>
    regions;      ///< one for the whole image, or one per detection, in order
  int top_k = 0;  ///< most probable classes that are told; 0 = all
  /// Prototypes that are told of each region; the overlay may show more, and there is evidence for
  /// those, too.
  int evidence_prototypes = 0;
  bool has_depth = false;  ///< positions were looked for: a region without one has too little depth
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__FRAME_PREDICTION_HPP_
