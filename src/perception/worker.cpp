// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/worker.hpp"

#include <algorithm>
#include <utility>

#include "model/decision.hpp"
#include "model/printable.hpp"
#include "perception/decode.hpp"
#include "perception/detections.hpp"
#include "perception/locate.hpp"
#include "perception/mailbox.hpp"
#include "perception/overlay.hpp"
#include "visual/patch_picture.hpp"

namespace mgproto::perception
{
namespace
{

// Of the longer side.
constexpr int kPicturePixels = 640;
constexpr int kThumbnailPixels = 128;

std::string taught_classes(const Manifest & manifest)
{
  std::string names;
  for (const TaughtClass & taught : manifest.taught) {
    names += (names.empty() ? ", taught: " : ", ") + printable(taught.name);
  }
  return names;
}

std::string description(const ModelInfo & model)
{
  return "model " + model.id + " on " + model.device + ": " +
         std::to_string(model.manifest.classes.size()) + " classes, " +
         std::to_string(model.manifest.prototype_class.size()) + " prototypes, " +
         (model.manifest.calibration
            ? "calibrated"
            : calibration_problem(model.manifest) + "; everything is unknown") +
         taught_classes(model.manifest);
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

void Worker::work_on(
  LoadedModel * model, std::vector<Frame> frames, Clock::time_point since,
  const Settings & settings)
{
  drop_late(frames, model != nullptr, since, settings.max_age);
  if (frames.empty()) {
    return;
  }
  std::vector<Wanted> wanted;
  int prototypes = settings.evidence_prototypes;
  for (const Frame & frame : frames) {
    wanted.push_back(wanted_of(frame.camera));
    prototypes = std::max(prototypes, wanted.back().overlay ? settings.overlay_prototypes : 0);
  }
  std::vector<ProcessedFrame> batch =
    predictor_.predict(*model, std::move(frames), settings, prototypes);

  // Predictions of all cameras first: no camera waits for another one's picture.
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch[i].failure) {
      give_up(batch[i].frame.camera, *batch[i].failure);
      wanted[i] = {};
    } else {
      find_positions(batch[i], settings);
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
  for (const ProcessedFrame & work : batch) {
    if (!work.failure) {
      reporter_.guarded(work.frame.camera, "the album", [&] { remember(work, settings); });
    }
  }
}

void Worker::remember(const ProcessedFrame & work, const Settings & settings)
{
  const std::string & camera = cameras_[work.frame.camera];
  snapshots_.offer(camera, work);
  for (const RegionPrediction & region : work.prediction.regions) {
    const Prediction & prediction = region.prediction;
    const bool is_unknown =
      prediction.verdict == Verdict::unknown && prediction.reason == Reason::below_threshold;
    if (settings.album_size == 0 || !is_unknown || !album_.is_new(prediction.descriptor)) {
      continue;
    }
    AlbumImage image;
    image.camera = camera;
    image.header = work.frame.header;
    image.region = region.region;
    image.detection_id = region.detection_id;
    image.nearest_class = work.prediction.model->manifest.classes.at(prediction.class_id);
    image.reason = region.reason;
    image.descriptor = prediction.descriptor;
    const cv::Mat pixels = bgr_copy(part_of(work.image, region.region));
    image.jpeg = visual::small_jpeg(pixels, kPicturePixels);
    image.thumbnail = visual::small_jpeg(pixels, kThumbnailPixels);
    keep_(album_.add(std::move(image), settings.album_size));
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

void Worker::drop_late(
  std::vector<Frame> & frames, bool has_model, Clock::time_point since, double max_age)
{
  const auto now = Clock::now();
  const Stamp node_time = outputs_.now();
  const auto late = [&](const Frame & frame) {
    const bool too_old = max_age > 0 && age(frame, now, node_time) > max_age;
    const bool disabled = !has_model || frame.received < since;
    if (disabled || too_old) {
      statistics_[frame.camera].frame_dropped(disabled ? Drop::disabled : Drop::too_old);
    }
    return disabled || too_old;
  };
  frames.erase(std::remove_if(frames.begin(), frames.end(), late), frames.end());
}

void Worker::find_positions(ProcessedFrame & work, const Settings & settings)
{
  if (!settings.use_depth) {
    return;
  }
  const int camera = work.frame.camera;
  reporter_.guarded(camera, "the depth", [&] {
    const std::string problem = locate(work.prediction, depth_, settings);
    if (!problem.empty()) {
      reporter_.fault(LogLevel::warn, camera, "no depth", problem);
    }
  });
}

void Worker::publish(const ProcessedFrame & work)
{
  const int camera = work.frame.camera;
  StatisticsCollector & statistics = statistics_[camera];
  const std::vector<RegionPrediction> & regions = work.prediction.regions;
  const auto problem = std::find_if(
    regions.begin(), regions.end(), [](const auto & region) { return !region.problem.empty(); });
  if (problem != regions.end()) {
    reporter_.fault(
      LogLevel::warn, camera, "detection",
      "detection '" + printable(problem->detection_id) + "' is unknown: " + problem->problem);
  }
  if (!reporter_.guarded(camera, "publishing", [&] { outputs_.publish(work.prediction); })) {
    statistics.frame_dropped(Drop::failed);
    return;
  }
  const Clock::time_point now = Clock::now();
  statistics.frame_answered(now, now - work.frame.received);
  for (const RegionPrediction & region : regions) {
    if (region.problem.empty()) {
      statistics.region_answered(now, region.unknown, region.prediction.log_density);
    }
  }
  reporter_.recovered(camera);
  reporter_.set_last_error(Reporter::answers, "");
}

void Worker::give_up(int camera, const Failure & failure)
{
  if (failure.of_image) {
    statistics_[camera].message_invalid();
    reporter_.fault(LogLevel::warn, camera, "image", failure.text);
    return;
  }
  statistics_[camera].frame_dropped(Drop::failed);
  reporter_.set_last_error(Reporter::answers, failure.text);
  reporter_.fault(LogLevel::error, camera, "model", "the model could not answer: " + failure.text);
}

}  // namespace mgproto::perception
