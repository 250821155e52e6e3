// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__FRAME_ANSWERER_HPP_
#define PERCEPTION__FRAME_ANSWERER_HPP_

#include <cstddef>
#include <exception>
#include <map>
#include <opencv2/core/mat.hpp>
#include <vector>

#include "mgproto_ros/image_view.hpp"
#include "mgproto_ros/recognizer.hpp"
#include "perception/answer.hpp"
#include "perception/frame.hpp"
#include "perception/model_slot.hpp"
#include "perception/ood_decision.hpp"
#include "perception/settings.hpp"

namespace mgproto::perception
{

/// A frame and what became of it.
struct AnsweredFrame
{
  Frame frame;
  ImageView image;  ///< decoded; good until the answerer's next batch
  Answer answer;
  std::vector<Region> outside;  ///< regions without a pixel in the image: not answered
  std::exception_ptr error;     ///< why there is no answer: ImageError, DeviceError, ...
};

/// From frames to answers: decodes, runs the model once over all regions of all frames, decides. A
/// frame that fails costs no other frame its answer. For one thread.
class FrameAnswerer
{
public:
  /// One for each frame, in order, with at most `prototypes` prototypes of the most probable class
  /// as evidence. Never throws what a frame is the cause of.
  std::vector<AnsweredFrame> answer(
    LoadedModel & model, std::vector<Frame> frames, const Settings & settings, int prototypes);

private:
  void prepare(AnsweredFrame & work, cv::Mat & buffer, const Settings & settings);
  void decide_all(AnsweredFrame & work, const ModelInfo & model, const Settings & settings);

  std::vector<cv::Mat> buffers_;         // by place in the batch
  std::map<int, Hysteresis> over_time_;  // by camera
  int over_time_version_ = 0;            // of the model that said so
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__FRAME_ANSWERER_HPP_
