// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/worker.hpp"

#include <algorithm>
#include <utility>

#include "model/decision.hpp"
#include "model/printable.hpp"
#include "perception/mailbox.hpp"
#include "perception/overlay.hpp"

namespace mgproto::perception
{
namespace
{

std::string description(const ModelInfo & model)
{
  return "model " + model.id + " on " + model.device + ": " +
         std::to_string(model.manifest.classes.size()) + " classes, " +
         std::to_string(model.manifest.prototype_class.size()) + " prototypes, " +
         (model.manifest.calibration
            ? "calibrated"
            : calibration_problem(model.manifest) + "; everything is unknown");
}

}  // namespace

void Worker::announce(const ModelInfo & model)
{
  if (model.version == announced_) {
    return;
  }
  announced_ = model.version;
  for (StatisticsCollector & camera : statistics_) {
    camera.model_changed();
  }
  reporter_.log(LogLevel::info, description(model));
  reporter_.guarded(kNoCamera, "announcing the model", [&] { outputs_.model_changed(model); });
}

void Worker::work_on(LoadedModel * model, std::vector<Frame> frames, const Settings & settings)
{
  drop_late(frames, model != nullptr, settings.max_age);
  if (frames.empty()) {
    return;
  }
  std::vector<Wanted> wanted;
  int prototypes = settings.evidence_prototypes;
  for (const Frame & frame : frames) {
    wanted.push_back(wanted_of(frame.camera));
    prototypes = std::max(prototypes, wanted.back().overlay ? settings.overlay_prototypes : 0);
  }
  const std::vector<ProcessedFrame> batch =
    predictor_.predict(*model, std::move(frames), settings, prototypes);

  // Predictions of all cameras first: no camera waits for another one's picture.
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch[i].failure) {
      give_up(batch[i].frame.camera, *batch[i].failure);
      wanted[i] = {};
    } else {
      publish(batch[i]);
    }
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (wanted[i].evidence) {
      reporter_.guarded(batch[i].frame.camera, "publishing evidence", [&] {
        outputs_.publish_evidence(batch[i].prediction);
      });
    }
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (wanted[i].overlay) {
      reporter_.guarded(batch[i].frame.camera, "the overlay", [&] {
        const cv::Mat picture = draw_overlay(batch[i].image, batch[i].prediction, settings);
        outputs_.publish_overlay(batch[i].frame.camera, batch[i].frame.header, picture);
      });
    }
  }
}

Worker::Wanted Worker::wanted_of(int camera)
{
  Wanted wanted;
  reporter_.guarded(camera, "asking for listeners", [&] {
    wanted.evidence = outputs_.wants_evidence(camera);
    wanted.overlay = outputs_.wants_overlay(camera);
  });
  return wanted;
}

void Worker::drop_late(std::vector<Frame> & frames, bool has_model, double max_age)
{
  const auto now = Clock::now();
  const auto system_now = std::chrono::system_clock::now();
  const auto late = [&](const Frame & frame) {
    const bool too_old = max_age > 0 && age(frame, now, system_now) > max_age;
    if (!has_model || too_old) {
      statistics_[frame.camera].frame_dropped(has_model ? Drop::too_old : Drop::disabled);
    }
    return !has_model || too_old;
  };
  frames.erase(std::remove_if(frames.begin(), frames.end(), late), frames.end());
}

void Worker::publish(const ProcessedFrame & work)
{
  const int camera = work.frame.camera;
  StatisticsCollector & statistics = statistics_[camera];
  if (!work.outside.empty()) {
    reporter_.fault(
      LogLevel::warn, camera, "region outside",
      "region '" + printable(work.outside.front().detection_id) +
        "' has no pixel in the image of " + std::to_string(work.prediction.width) + " x " +
        std::to_string(work.prediction.height) + " and gets no answer");
  }
  if (!reporter_.guarded(camera, "publishing", [&] { outputs_.publish(work.prediction); })) {
    statistics.frame_dropped(Drop::failed);
    return;
  }
  const Clock::time_point now = Clock::now();
  statistics.frame_answered(now, now - work.frame.received);
  for (const RegionPrediction & region : work.prediction.regions) {
    statistics.region_answered(now, region.unknown, region.prediction.log_density);
  }
  reporter_.recovered(camera);
  reporter_.set_last_error("");
}

void Worker::give_up(int camera, const Failure & failure)
{
  if (failure.of_image) {
    statistics_[camera].message_invalid();
    reporter_.fault(LogLevel::warn, camera, "image", failure.text);
    return;
  }
  statistics_[camera].frame_dropped(Drop::failed);
  reporter_.set_last_error(failure.text);
  reporter_.fault(LogLevel::error, camera, "model", "the model could not answer: " + failure.text);
}

}  // namespace mgproto::perception
