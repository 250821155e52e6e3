// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/frame_predictor.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

#include "mgproto_ros/error.hpp"
#include "model/manifest_json.hpp"
#include "perception/decode.hpp"
#include "perception/detections.hpp"

namespace mgproto::perception
{
namespace
{

/// Crops that go through the network together. More would not be faster, but a detector that finds
/// a thousand things would need gigabytes.
constexpr std::size_t kMostAtOnce = 32;

/// What a call throws.
template <typename Call>
std::optional<Failure> failure_of(const Call & call)
{
  try {
    call();
    return std::nullopt;
  } catch (const ImageError & error) {
    return Failure{true, error.what()};
  } catch (const std::exception & error) {
    return Failure{false, error.what()};
  } catch (...) {
    return Failure{false, "an exception without a message"};
  }
}

std::vector<Prediction> recognize(
  Recognizer & recognizer, const std::vector<ImageView> & views, const EvidenceRequest & request,
  const DecisionRequest & decision)
{
  std::vector<Prediction> all;
  for (auto begin = views.begin(); begin != views.end();) {
    const auto count = std::min<std::ptrdiff_t>(kMostAtOnce, views.end() - begin);
    auto some =
      recognizer.recognize(std::vector<ImageView>(begin, begin + count), request, decision);
    std::move(some.begin(), some.end(), std::back_inserter(all));
    begin += count;
  }
  return all;
}

/// From pixels of the region to pixels of the frame.
void move_to_frame(Prediction & prediction, const Box & region)
{
  prediction.seen.x += region.x;
  prediction.seen.y += region.y;
  for (PrototypeEvidence & evidence : prediction.evidence) {
    evidence.box.x += region.x;
    evidence.box.y += region.y;
  }
}

/// What a detector found, before the model has seen it.
RegionPrediction to_be_answered(const Region & region, int width, int height)
{
  RegionPrediction answer;
  answer.region = cut_to_image(region.box, width, height);
  answer.detection_id = region.detection_id;
  answer.detection_class = region.detection_class;
  answer.detection_score = region.detection_score;
  answer.problem = region.problem;
  if (answer.problem.empty() && (answer.region.width == 0 || answer.region.height == 0)) {
    answer.problem = "the detection has no pixel in the image of " + std::to_string(width) + " x " +
                     std::to_string(height);
  }
  return answer;
}

/// One call for all frames; if that fails, one for each, so that the fault stays with its frame.
void recognize_all(
  Recognizer & recognizer, const std::vector<ProcessedFrame *> & batch,
  const EvidenceRequest & request, const DecisionRequest & decision)
{
  std::vector<ImageView> views;
  std::vector<RegionPrediction *> regions;
  for (ProcessedFrame * work : batch) {
    for (RegionPrediction & region : work->prediction.regions) {
      if (region.problem.empty()) {
        views.push_back(part_of(work->image, region.region));
        regions.push_back(&region);
      }
    }
  }
  const std::optional<Failure> failure = failure_of([&] {
    std::vector<Prediction> predictions = recognize(recognizer, views, request, decision);
    for (std::size_t i = 0; i < regions.size(); ++i) {
      regions[i]->prediction = std::move(predictions[i]);
      move_to_frame(regions[i]->prediction, regions[i]->region);
    }
  });
  if (failure && batch.size() == 1) {
    batch.front()->failure = failure;
  } else if (failure) {
    for (ProcessedFrame * work : batch) {
      recognize_all(recognizer, {work}, request, decision);
    }
  }
}

}  // namespace

std::vector<ProcessedFrame> FramePredictor::predict(
  LoadedModel & model, std::vector<Frame> frames, const Settings & settings, int prototypes)
{
  if (model.info->version != over_time_version_) {
    over_time_.clear();
    over_time_version_ = model.info->version;
  }
  buffers_.resize(std::max(buffers_.size(), frames.size()));
  std::vector<ProcessedFrame> all(frames.size());
  std::vector<ProcessedFrame *> good;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    all[i].frame = std::move(frames[i]);
    all[i].prediction.model = model.info;
    all[i].prediction.top_k = settings.top_k;
    all[i].prediction.evidence_prototypes = settings.evidence_prototypes;
    all[i].failure = failure_of([&] { prepare(all[i], buffers_[i], settings); });
    if (!all[i].failure) {
      good.push_back(&all[i]);
    }
  }

  EvidenceRequest request;
  request.top_classes = prototypes > 0 ? 1 : 0;
  request.prototypes_per_class = prototypes;
  request.descriptor = settings.album_size > 0;
  recognize_all(
    model.model.recognizer(), good, request,
    {settings.ood_tpr, criterion_named(settings.ood_score)});
  for (ProcessedFrame * work : good) {
    if (!work->failure) {
      set_flags(*work, settings);
    }
  }
  return all;
}

void FramePredictor::prepare(ProcessedFrame & work, cv::Mat & buffer, const Settings & settings)
{
  FramePrediction & prediction = work.prediction;
  prediction.camera = work.frame.camera;
  prediction.header = work.frame.header;
  work.image = decode(work.frame.image, buffer);
  prediction.width = work.image.width;
  prediction.height = work.image.height;
  if (work.frame.regions.empty() && !settings.use_detections) {
    prediction.regions.emplace_back();
    prediction.regions.back().region = {0, 0, prediction.width, prediction.height};
  }
  for (const Region & region : work.frame.regions) {
    prediction.regions.push_back(to_be_answered(region, prediction.width, prediction.height));
  }
}

void FramePredictor::set_flags(ProcessedFrame & work, const Settings & settings)
{
  for (RegionPrediction & region : work.prediction.regions) {
    if (region.problem.empty()) {
      set_flag(region, work.prediction.model->manifest);
    } else {
      set_no_answer(region);
    }
  }
  // Regions come and go, and nothing tells which of the last frame's is which.
  if (work.frame.regions.empty() && !settings.use_detections) {
    over_time_[work.frame.camera].apply(
      work.prediction.regions.front(), {work.frame.header.stamp, work.frame.received}, settings);
  }
}

}  // namespace mgproto::perception
