// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__ANSWER_HPP_
#define PERCEPTION__ANSWER_HPP_

#include <memory>
#include <string>
#include <vector>

#include "mgproto_ros/manifest.hpp"
#include "mgproto_ros/recognition.hpp"
#include "perception/frame.hpp"

namespace mgproto::perception
{

/// The model that answered, as much as its readers need.
struct ModelInfo
{
  std::string id;  ///< file name and the first digits of the tensors' hash
  std::string path;
  std::string device;
  int version = 1;  ///< one more with every model that this node has loaded
  Manifest manifest;
};

/// What the model says about one region of one frame. All boxes are in pixels of the frame.
struct RegionAnswer
{
  Box region;
  std::string detection_id;  ///< empty for the whole image
  Recognition recognition;   ///< its verdict is this frame's own
  double threshold = 0;  ///< on log p(x), that the verdict was made with; NaN without calibration
  std::string reason;    ///< why the verdict is not `known`; empty if it is
  /// The verdict over time: hysteresis applied. Not finite and uncalibrated are always unknown.
  bool unknown = true;
  std::string unknown_reason;  ///< empty if it is not
};

/// What the model says about one frame.
struct Answer
{
  int camera = 0;
  Header header;
  int width = 0;  ///< of the frame
  int height = 0;
  std::shared_ptr<const ModelInfo> model;
  std::vector<RegionAnswer> regions;  ///< one for the whole image, or one per detection
  int top_k = 0;                      ///< most probable classes that are told; 0 = all
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__ANSWER_HPP_
