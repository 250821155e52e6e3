// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__FRAME_PREDICTOR_HPP_
#define PERCEPTION__FRAME_PREDICTOR_HPP_

#include <cstddef>
#include <map>
#include <opencv2/core/mat.hpp>
#include <optional>
#include <string>
#include <vector>

#include "mgproto_ros/image_view.hpp"
#include "mgproto_ros/recognizer.hpp"
#include "perception/frame.hpp"
#include "perception/frame_prediction.hpp"
#include "perception/model_slot.hpp"
#include "perception/ood_flag.hpp"
#include "perception/settings.hpp"

namespace mgproto::perception
{

/// Why a frame has no prediction.
struct Failure
{
  bool of_image = false;  ///< the image cannot be used; else the model failed
  std::string text;
};

/// A frame and what became of it.
struct ProcessedFrame
{
  Frame frame;
  ImageView image;  ///< decoded; good until the predictor's next batch
  FramePrediction prediction;
  std::optional<Failure> failure;
};

/// From frames to predictions: decodes, runs the model once over all regions of all frames, flags. A
/// frame that fails costs no other frame its prediction. For one thread.
class FramePredictor
{
public:
  /// One for each frame, in order, with at most `prototypes` prototypes of the most probable class
  /// as evidence. Never throws what a frame is the cause of.
  std::vector<ProcessedFrame> predict(
    LoadedModel & model, std::vector<Frame> frames, const Settings & settings, int prototypes);

private:
  void prepare(ProcessedFrame & work, cv::Mat & buffer, const Settings & settings);
  void set_flags(ProcessedFrame & work, const Settings & settings);

  std::vector<cv::Mat> buffers_;         // by place in the batch
  std::map<int, Hysteresis> over_time_;  // by camera
  int over_time_version_ = 0;            // of the model that said so
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__FRAME_PREDICTOR_HPP_
