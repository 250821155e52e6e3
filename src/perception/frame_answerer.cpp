// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/frame_answerer.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "perception/decode.hpp"
#include "perception/detections.hpp"

namespace mgproto::perception
{
namespace
{

/// Crops that go through the network together. More would not be faster, but a detector that finds
/// a thousand things would need gigabytes.
constexpr std::size_t kMostAtOnce = 32;

std::vector<ImageView> views_of(const AnsweredFrame & work)
{
  std::vector<ImageView> views;
  for (const RegionAnswer & region : work.answer.regions) {
    views.push_back(part_of(work.image, region.region));
  }
  return views;
}

std::vector<Recognition> recognize(
  Recognizer & recognizer, const std::vector<ImageView> & views, const EvidenceRequest & request)
{
  if (views.size() <= kMostAtOnce) {
    return recognizer.recognize(views, request);
  }
  std::vector<Recognition> all;
  for (auto begin = views.begin(); begin != views.end();) {
    const auto count = std::min<std::ptrdiff_t>(kMostAtOnce, views.end() - begin);
    auto some = recognizer.recognize(std::vector<ImageView>(begin, begin + count), request);
    std::move(some.begin(), some.end(), std::back_inserter(all));
    begin += count;
  }
  return all;
}

/// From pixels of the region to pixels of the frame.
void move_to_frame(Recognition & recognition, const Box & region)
{
  recognition.seen.x += region.x;
  recognition.seen.y += region.y;
  for (PrototypeEvidence & evidence : recognition.evidence) {
    evidence.box.x += region.x;
    evidence.box.y += region.y;
  }
}

void take_recognitions(AnsweredFrame & work, std::vector<Recognition>::iterator & next)
{
  for (RegionAnswer & region : work.answer.regions) {
    region.recognition = std::move(*next++);
    move_to_frame(region.recognition, region.region);
  }
}

/// One call for all frames; if that fails, one for each, so that the fault stays with its frame.
void recognize_all(
  Recognizer & recognizer, const std::vector<AnsweredFrame *> & batch,
  const EvidenceRequest & request)
{
  std::vector<ImageView> views;
  for (const AnsweredFrame * work : batch) {
    const std::vector<ImageView> more = views_of(*work);
    views.insert(views.end(), more.begin(), more.end());
  }
  try {
    std::vector<Recognition> recognitions = recognize(recognizer, views, request);
    auto next = recognitions.begin();
    for (AnsweredFrame * work : batch) {
      take_recognitions(*work, next);
    }
  } catch (...) {
    if (batch.size() == 1) {
      batch.front()->error = std::current_exception();
      return;
    }
    for (AnsweredFrame * work : batch) {
      recognize_all(recognizer, {work}, request);
    }
  }
}

}  // namespace

std::vector<AnsweredFrame> FrameAnswerer::answer(
  LoadedModel & model, std::vector<Frame> frames, const Settings & settings, int prototypes)
{
  if (model.info->version != over_time_version_) {
    over_time_.clear();
    over_time_version_ = model.info->version;
  }
  buffers_.resize(std::max(buffers_.size(), frames.size()));
  std::vector<AnsweredFrame> all(frames.size());
  std::vector<AnsweredFrame *> good;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    all[i].frame = std::move(frames[i]);
    all[i].answer.model = model.info;
    all[i].answer.top_k = settings.top_k;
    try {
      prepare(all[i], buffers_[i], settings);
      good.push_back(&all[i]);
    } catch (...) {
      all[i].error = std::current_exception();
    }
  }

  EvidenceRequest request;
  request.top_classes = prototypes > 0 ? 1 : 0;
  request.prototypes_per_class = prototypes;
  if (!good.empty()) {
    recognize_all(model.recognizer, good, request);
  }
  for (AnsweredFrame * work : good) {
    if (!work->error) {
      decide_all(*work, *model.info, settings);
    }
  }
  return all;
}

void FrameAnswerer::prepare(AnsweredFrame & work, cv::Mat & buffer, const Settings & settings)
{
  Answer & answer = work.answer;
  answer.camera = work.frame.camera;
  answer.header = work.frame.header;
  work.image = decode(work.frame.image, buffer);
  answer.width = work.image.width;
  answer.height = work.image.height;
  if (work.frame.regions.empty() && !settings.use_detections) {
    answer.regions.emplace_back();
    answer.regions.back().region = {0, 0, answer.width, answer.height};
  }
  for (Region & region : work.frame.regions) {
    const Box box = cut_to_image(region.box, answer.width, answer.height);
    if (box.width == 0 || box.height == 0) {
      work.outside.push_back(std::move(region));
      continue;
    }
    answer.regions.emplace_back();
    answer.regions.back().region = box;
    answer.regions.back().detection_id = std::move(region.detection_id);
  }
}

void FrameAnswerer::decide_all(
  AnsweredFrame & work, const ModelInfo & model, const Settings & settings)
{
  for (RegionAnswer & region : work.answer.regions) {
    decide(region, model.manifest.calibration, settings.ood_tpr);
  }
  // Regions come and go, and nothing tells which of the last frame's is which.
  if (work.frame.regions.empty() && !settings.use_detections) {
    over_time_[work.frame.camera].apply(
      work.answer.regions.front(), settings.ood_enter, settings.ood_leave);
  }
}

}  // namespace mgproto::perception
