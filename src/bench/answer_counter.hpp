// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BENCH__ANSWER_COUNTER_HPP_
#define BENCH__ANSWER_COUNTER_HPP_

#include <condition_variable>
#include <mutex>
#include <string>

#include "mgproto_ros/error.hpp"
#include "perception/perception.hpp"

namespace mgproto::bench
{

/// A listener who wants all that a node says, and counts frames that are done with.
class AnswerCounter : public perception::Outputs
{
public:
  /// Until so many frames are done with, in all. Throws Error if that does not come.
  void wait_for(int frames)
  {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::minutes(1), [&] { return done_ >= frames; })) {
      throw Error("the node did not answer within a minute: " + problem_);
    }
  }

  void model_changed(const perception::ModelInfo &) override {}
  void publish(const perception::FramePrediction &) override {}
  bool wants_evidence(int) const override { return true; }
  bool wants_overlay(int) const override { return true; }
  void publish_evidence(const perception::FramePrediction &) override {}
  void publish_overlay(int, const perception::Header &, const cv::Mat &) override
  {
    {
      const std::lock_guard lock(mutex_);
      ++done_;
    }
    changed_.notify_all();
  }
  void log(perception::LogLevel level, const std::string & text) override
  {
    if (level != perception::LogLevel::info) {
      const std::lock_guard lock(mutex_);
      problem_ = text;
    }
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int done_ = 0;
  std::string problem_;
};

/// A picture as a camera's frame, without copying it; `bgr` must not change meanwhile.
inline perception::Frame frame_of(const cv::Mat & bgr, int camera)
{
  perception::Frame frame;
  frame.camera = camera;
  frame.header = {perception::current_stamp(), "camera"};
  frame.image.owner = std::make_shared<cv::Mat>(bgr);
  frame.image.data = bgr.data;
  frame.image.size = bgr.total() * bgr.elemSize();
  frame.image.width = bgr.cols;
  frame.image.height = bgr.rows;
  frame.image.step = bgr.step;
  frame.image.encoding = perception::Encoding::bgr8;
  return frame;
}

}  // namespace mgproto::bench

#endif  // BENCH__ANSWER_COUNTER_HPP_
