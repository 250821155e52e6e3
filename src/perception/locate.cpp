// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/locate.hpp"

#include <algorithm>
#include <optional>

#include "model/number_text.hpp"
#include "model/printable.hpp"
#include "perception/detections.hpp"

namespace mgproto::perception
{
namespace
{

std::string size_of(int width, int height)
{
  return std::to_string(width) + " x " + std::to_string(height);
}

/// Around those of the most probable class that are told; nothing if none are.
std::optional<Box> box_of_evidence(const FramePrediction & frame, const Prediction & prediction)
{
  std::optional<Box> hull;
  int told = 0;
  for (const PrototypeEvidence & place : prediction.evidence) {
    if (place.class_id != prediction.class_id || told == frame.evidence_prototypes) {
      continue;
    }
    ++told;
    const Box box = cut_to_image(place.box, frame.width, frame.height);
    if (box.width == 0 || box.height == 0) {
      continue;
    }
    if (!hull) {
      hull = box;
      continue;
    }
    const int right = std::max(hull->x + hull->width, box.x + box.width);
    const int bottom = std::max(hull->y + hull->height, box.y + box.height);
    hull->x = std::min(hull->x, box.x);
    hull->y = std::min(hull->y, box.y);
    hull->width = right - hull->x;
    hull->height = bottom - hull->y;
  }
  return hull;
}

}  // namespace

Box located_box(const FramePrediction & frame, const RegionPrediction & region)
{
  const Box & box = region.region;
  if (!region.detection_id.empty() || !(box == Box{0, 0, frame.width, frame.height})) {
    return box;
  }
  if (region.prediction.verdict == Verdict::known) {
    if (const auto evidence = box_of_evidence(frame, region.prediction)) {
      return *evidence;
    }
  }
  return {
    frame.width / 4, frame.height / 4, std::max(1, frame.width / 2), std::max(1, frame.height / 2)};
}

std::string locate(FramePrediction & frame, const DepthStore & store, const Settings & settings)
{
  const auto calibrated = store.intrinsics(frame.camera);
  if (!calibrated) {
    return "no camera info with a calibration has come, so nothing gets a position";
  }
  const auto camera = scaled_to(*calibrated, frame.width, frame.height);
  if (!camera) {
    return "the camera info is for images of " + size_of(calibrated->width, calibrated->height) +
           ", not for one of " + size_of(frame.width, frame.height) +
           ", so nothing gets a position";
  }
  const auto depth = store.nearest(frame.camera, frame.header.stamp, settings.depth_tolerance);
  if (!depth) {
    return "no depth image within " + general(settings.depth_tolerance, 3) +
           " s of the image (depth.tolerance), so nothing gets a position";
  }
  const std::string & frame_id = depth->header.frame_id;
  if (!frame_id.empty() && frame_id != frame.header.frame_id) {
    return "the depth image is in the frame '" + printable(frame_id) + "', the image in '" +
           printable(frame.header.frame_id) +
           "': expected depth that is aligned with the image, so nothing gets a position";
  }
  frame.has_depth = true;
  for (RegionPrediction & region : frame.regions) {
    region.position =
      position_of(located_box(frame, region), *camera, depth->image, settings.depth_max);
  }
  return "";
}

}  // namespace mgproto::perception
