// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__WORKER_HPP_
#define PERCEPTION__WORKER_HPP_

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "perception/album.hpp"
#include "perception/depth_store.hpp"
#include "perception/frame_predictor.hpp"
#include "perception/model_slot.hpp"
#include "perception/perception.hpp"
#include "perception/reporter.hpp"
#include "perception/snapshots.hpp"
#include "perception/statistics.hpp"

namespace mgproto::perception
{

/// Takes a batch of frames to the outputs: predicts, publishes, counts, and puts what was not known into
/// the album. For one thread, the only one that calls the outputs. No frame, and no output that throws,
/// keeps it from the next.
class Worker
{
public:
  /// Gets what has come into the album; must not take long.
  using Keep = std::function<void(const Album::Image &)>;

  /// All of them must outlive this; one of the statistics and one of the names for each camera.
  Worker(
    Outputs & outputs, const std::vector<std::string> & cameras,
    std::deque<StatisticsCollector> & statistics, Reporter & reporter, Album & album,
    Snapshots & snapshots, const DepthStore & depth, Keep keep)
  : outputs_(outputs),
    cameras_(cameras),
    statistics_(statistics),
    reporter_(reporter),
    album_(album),
    snapshots_(snapshots),
    depth_(depth),
    keep_(std::move(keep))
  {
  }

  /// Tells the outputs and the statistics about the model, unless they know it.
  void announce(const ModelInfo & model);

  /// Without a model, all frames are dropped; otherwise those that were received before `since`.
  void work_on(
    LoadedModel * model, std::vector<Frame> frames, Clock::time_point since,
    const Settings & settings);

private:
  struct Wanted
  {
    bool evidence = false;
    bool overlay = false;
  };

  Wanted wanted_of(int camera);
  void drop_late(
    std::vector<Frame> & frames, bool has_model, Clock::time_point since, double max_age);
  void find_positions(ProcessedFrame & work, const Settings & settings);
  void publish(const ProcessedFrame & work);
  void remember(const ProcessedFrame & work, const Settings & settings);
  void give_up(int camera, const Failure & failure);

  Outputs & outputs_;
  const std::vector<std::string> & cameras_;
  std::deque<StatisticsCollector> & statistics_;
  Reporter & reporter_;
  Album & album_;
  Snapshots & snapshots_;
  const DepthStore & depth_;
  const Keep keep_;
  FramePredictor predictor_;
  int announced_ = 0;  // version of the model that the outputs know
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__WORKER_HPP_
