// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__RECORDING_OUTPUTS_HPP_
#define PERCEPTION__RECORDING_OUTPUTS_HPP_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <opencv2/core.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "perception/perception.hpp"

namespace mgproto::perception::test
{

/// Keeps all that is published. Can be held up, and told to throw.
class RecordingOutputs : public Outputs
{
public:
  void model_changed(const ModelInfo & model) override
  {
    note("model " + model.id);
    fail_if_told("model");
  }
  void publish(const FramePrediction & answer) override
  {
    {
      std::unique_lock lock(mutex_);
      entered_ = true;
      changed_.notify_all();
      changed_.wait(lock, [this] { return !held_; });
      entered_ = false;
    }
    fail_if_told("publish");
    const std::lock_guard lock(mutex_);
    answers_.push_back(answer);
    calls_.push_back("answer " + std::to_string(answer.header.stamp.sec));
    changed_.notify_all();
  }
  bool wants_evidence(int) const override
  {
    fail_if_told("wants");
    return evidence;
  }
  bool wants_overlay(int) const override { return overlay; }
  void publish_evidence(const FramePrediction & answer) override
  {
    fail_if_told("evidence");
    note("evidence " + std::to_string(answer.header.stamp.sec));
    const std::lock_guard lock(mutex_);
    evidence_answers_.push_back(answer);
  }
  void publish_overlay(int camera, const Header & header, const cv::Mat & bgr) override
  {
    fail_if_told("overlay");
    note("overlay " + std::to_string(header.stamp.sec));
    const std::lock_guard lock(mutex_);
    last_overlay_ = bgr.clone();
    last_overlay_camera_ = camera;
  }
  void log(LogLevel level, const std::string & text) override
  {
    fail_if_told("log");
    const std::lock_guard lock(mutex_);
    if (level != LogLevel::info) {
      faults_.push_back(text);
    }
  }

  Stamp now() const override { return {node_time, 0}; }

  std::atomic<int> node_time{0};  ///< in seconds; at first as before /clock

  /// The next call of publish() waits for release().
  void hold()
  {
    const std::lock_guard lock(mutex_);
    held_ = true;
  }
  bool wait_until_held()
  {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60), [this] { return entered_; });
  }
  void release()
  {
    const std::lock_guard lock(mutex_);
    held_ = false;
    changed_.notify_all();
  }
  bool wait_until(const std::function<bool()> & done)  // called with the lock held
  {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60), done);
  }
  bool wait_for_answers(std::size_t count)
  {
    return wait_until([&] { return answers_.size() >= count; });
  }
  bool wait_for_call(const std::string & call)
  {
    return wait_until(
      [&] { return std::find(calls_.begin(), calls_.end(), call) != calls_.end(); });
  }

  template <typename T>
  T read(T RecordingOutputs::*member)
  {
    const std::lock_guard lock(mutex_);
    return this->*member;
  }
  std::vector<FramePrediction> answers() { return read(&RecordingOutputs::answers_); }
  std::vector<FramePrediction> evidence_answers()
  {
    return read(&RecordingOutputs::evidence_answers_);
  }
  std::vector<std::string> calls() { return read(&RecordingOutputs::calls_); }
  std::vector<std::string> faults() { return read(&RecordingOutputs::faults_); }
  cv::Mat last_overlay() { return read(&RecordingOutputs::last_overlay_); }
  void throw_in(const std::string & place)
  {
    const std::lock_guard lock(mutex_);
    throws_in_ = place;
  }

  std::atomic<bool> evidence{false}, overlay{false};

private:
  void note(const std::string & call)
  {
    const std::lock_guard lock(mutex_);
    calls_.push_back(call);
    changed_.notify_all();
  }
  void fail_if_told(const std::string & place) const
  {
    const std::lock_guard lock(mutex_);
    if (throws_in_ == place) {
      throw std::runtime_error("told to fail in " + place);
    }
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool held_ = false, entered_ = false;
  std::string throws_in_;
  std::vector<FramePrediction> answers_, evidence_answers_;
  std::vector<std::string> calls_, faults_;
  cv::Mat last_overlay_;
  int last_overlay_camera_ = -1;
};

}  // namespace mgproto::perception::test

#endif  // PERCEPTION__RECORDING_OUTPUTS_HPP_
