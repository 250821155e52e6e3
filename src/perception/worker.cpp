// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/worker.hpp"

#include <algorithm>
#include <utility>

#include "mgproto_ros/error.hpp"
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
         (model.manifest.calibration ? "calibrated" : "not calibrated: everything is unknown");
}

bool is_image_error(const std::exception_ptr & error)
{
  try {
    std::rethrow_exception(error);
  } catch (const ImageError &) {
    return true;
  } catch (...) {
    return false;
  }
}

/// Only the evidence that readers of predictions asked for.
void trim(Answer & answer, int prototypes, bool with_maps)
{
  for (RegionAnswer & region : answer.regions) {
    auto & evidence = region.recognition.evidence;
    evidence.resize(std::min(evidence.size(), static_cast<std::size_t>(std::max(prototypes, 0))));
    for (PrototypeEvidence & one : evidence) {
      if (!with_maps) {
        one.map = {};
      }
    }
  }
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

void Worker::answer(LoadedModel * model, std::vector<Frame> frames, const Settings & settings)
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
  std::vector<AnsweredFrame> batch =
    answerer_.answer(*model, std::move(frames), settings, prototypes);

  // Predictions of all cameras first: no camera waits for another one's picture.
  std::vector<Answer> for_overlay(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch[i].error) {
      give_up(batch[i].frame.camera, batch[i].error);
      wanted[i] = {};
      continue;
    }
    if (wanted[i].overlay) {
      for_overlay[i] = batch[i].answer;
    }
    trim(batch[i].answer, settings.evidence_prototypes, wanted[i].evidence);
    publish(batch[i]);
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (wanted[i].evidence) {
      reporter_.guarded(batch[i].frame.camera, "publishing evidence", [&] {
        outputs_.publish_evidence(batch[i].answer);
      });
    }
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (wanted[i].overlay) {
      reporter_.guarded(batch[i].frame.camera, "the overlay", [&] {
        const cv::Mat picture = draw_overlay(batch[i].image, for_overlay[i], settings);
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

void Worker::publish(AnsweredFrame & work)
{
  const int camera = work.frame.camera;
  StatisticsCollector & statistics = statistics_[camera];
  if (!work.outside.empty()) {
    reporter_.fault(
      LogLevel::warn, camera, "region outside",
      "region '" + printable(work.outside.front().detection_id) +
        "' has no pixel in the image of " + std::to_string(work.answer.width) + " x " +
        std::to_string(work.answer.height) + " and gets no answer");
  }
  if (!reporter_.guarded(camera, "publishing", [&] { outputs_.publish(work.answer); })) {
    statistics.frame_dropped(Drop::failed);
    return;
  }
  const Clock::time_point now = Clock::now();
  statistics.frame_answered(now, now - work.frame.received);
  for (const RegionAnswer & region : work.answer.regions) {
    statistics.region_answered(now, region.unknown, region.recognition.log_density);
  }
  reporter_.recovered(camera);
  reporter_.set_last_error("");
}

void Worker::give_up(int camera, const std::exception_ptr & error)
{
  const std::string text = text_of(error);
  if (is_image_error(error)) {
    statistics_[camera].message_invalid();
    reporter_.fault(LogLevel::warn, camera, "image", text);
    return;
  }
  statistics_[camera].frame_dropped(Drop::failed);
  reporter_.set_last_error(text);
  reporter_.fault(LogLevel::error, camera, "model", "the model could not answer: " + text);
}

}  // namespace mgproto::perception
