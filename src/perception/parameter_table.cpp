// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <set>
#include <string>

#include "model/device_name.hpp"
#include "model/manifest_json.hpp"
#include "perception/parameter_row.hpp"

namespace mgproto::perception
{
namespace
{

constexpr std::size_t kLongestCameraName = 64;  // leaves room for the rest of a topic's name

bool is_device(const Value & value) { return is_device_name(std::get<std::string>(value)); }

bool is_criterion(const Value & value)
{
  const auto & text = std::get<std::string>(value);
  return text.empty() || criterion_named(text);
}

/// One token of a ROS topic name.
bool is_camera_name(const std::string & name)
{
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && name.size() <= kLongestCameraName && is_letter(name.front()) &&
         std::all_of(
           name.begin(), name.end(), [&](char c) { return is_letter(c) || is_digit(c); }) &&
         name.find("__") == std::string::npos;
}

/// How ROS says that there are none: neither its parameter files nor what `ros2 param dump` writes can
/// hold an empty list.
const std::vector<std::string> kNoName{""};

bool is_no_name(const std::vector<std::string> & names) { return names == kNoName; }

bool are_camera_names(const Value & value)
{
  const auto & names = std::get<std::vector<std::string>>(value);
  return is_no_name(names) ||
         (std::all_of(names.begin(), names.end(), is_camera_name) &&
          std::set<std::string>(names.begin(), names.end()).size() == names.size());
}

Parameter cameras()
{
  Parameter parameter = only(
    "distinct names of letters, digits and single underscores, no digit first, up to 64 long",
    are_camera_names,
    member(
      "cameras", &Settings::cameras,
      "Names of the cameras, each with its topics under ~/NAME, such as ~/NAME/input/image; empty, "
      "or one empty name, = one camera at ~/input/image."));
  parameter.get = [](const Settings & settings) {
    return Value(settings.cameras.empty() ? kNoName : settings.cameras);
  };
  parameter.set = [](Settings & settings, const Value & value) {
    const auto & names = std::get<std::vector<std::string>>(value);
    settings.cameras = is_no_name(names) ? std::vector<std::string>() : names;
  };
  return parameter;
}

std::vector<Parameter> make_parameters()
{
  using S = Settings;
  return {
    member("model", &S::model, "Path of the checkpoint to answer with; must be given."),
    only(
      kDeviceNames, is_device,
      member(
        "device", &S::device,
        "Where the network runs; auto is a CUDA device if there is one, otherwise the CPU.")),
    within(
      0, 1024,
      member(
        "num_threads", &S::num_threads,
        "CPU threads of the network; 0 = one for less than 400 million multiply-adds, else one per "
        "core.")),
    member("half", &S::half, "Half precision for the backbone; CUDA only."),
    cameras(),
    member(
      "image_transport", &S::image_transport,
      "How images arrive: raw, compressed or, under ROS, by any plugin of image_transport."),
    member(
      "allow_depth", &S::allow_depth,
      "Also takes one-channel depth images: the upper byte of 16 bits, or floats stretched from "
      "their "
      "lowest to their highest value."),
    member(
      "use_detections", &S::use_detections,
      "Answers every region that a detector reports about an image, instead of the whole image."),
    member(
      "use_depth", &S::use_depth,
      "Says where in space things are, by a depth image that is aligned with the image."),
    member(
      "teach.directory", &S::teach_directory,
      "Where what the model is taught is kept, so that it comes back with the next start; empty = "
      "until the node ends."),

    dynamic(within(
      0, 3600,
      member(
        "max_age", &S::max_age,
        "Age in seconds, by stamp or arrival, above which an image is dropped instead of answered; "
        "0 = no limit. The stamp counts by the node's clock, with use_sim_time that of /clock."))),
    dynamic(within(
      0, 1000,
      member(
        "max_rate", &S::max_rate,
        "Most images per second to answer of each camera; 0 = no limit."))),
    dynamic(within(
      0, 100000,
      member("top_k", &S::top_k, "Most probable classes that a prediction lists; 0 = all."))),
    dynamic(within(
      0, 60,
      member(
        "detections.max_wait", &S::detections_max_wait,
        "Seconds that an image waits for its detections before it is dropped; 0 = it does not "
        "wait."))),
    dynamic(within(
      0, 10,
      member(
        "depth.tolerance", &S::depth_tolerance,
        "Seconds between the stamps of an image and of the depth image that is taken for it, at "
        "most."))),
    dynamic(within(
      0.1, 1000,
      member("depth.max", &S::depth_max, "Metres beyond which a depth is taken for none."))),
    dynamic(within(
      0, 1,
      member(
        "ood.tpr", &S::ood_tpr,
        "Share of known images that the threshold is to accept; 0 = the checkpoint's own "
        "threshold."))),
    dynamic(only(
      "joint, log_density or empty", is_criterion,
      member(
        "ood.score", &S::ood_score,
        "What decides: joint (all questions that the model asks) or log_density (log p(x), as "
        "published; also where the model has nothing else); empty = as the checkpoint says."))),
    dynamic(within(
      1, 1000,
      member(
        "ood.enter", &S::ood_enter,
        "Unknown images in a row that raise a camera's unknown flag; not for detections."))),
    dynamic(within(
      1, 1000,
      member(
        "ood.leave", &S::ood_leave,
        "Known images in a row that lower a camera's unknown flag; not for detections."))),
    dynamic(within(
      0, 3600,
      member(
        "ood.enter_seconds", &S::ood_enter_seconds,
        "Seconds for which images must have been unknown, as well as ood.enter in a row, to raise "
        "a "
        "camera's unknown flag; by their stamps."))),
    dynamic(within(
      0, 3600,
      member(
        "ood.leave_seconds", &S::ood_leave_seconds,
        "Seconds for which images must have been known, as well as ood.leave in a row, to lower a "
        "camera's unknown flag; by their stamps."))),
    dynamic(within(
      0, 2000,
      member(
        "album.size", &S::album_size,
        "Newest images and regions that were not known, kept to be given a name; 0 = none."))),
    member(
      "album.directory", &S::album_directory,
      "Where images and regions that were not known are kept as files, too; empty = nowhere."),
    dynamic(within(
      0, 1000,
      member(
        "evidence.prototypes", &S::evidence_prototypes,
        "Strongest places of the most probable class that are given as evidence; 0 = none."))),
    dynamic(within(
      0, 100,
      member(
        "overlay.prototypes", &S::overlay_prototypes,
        "Strongest places of the most probable class that the overlay shows; 0 = none."))),
    dynamic(within(
      0, 1,
      member(
        "overlay.opacity", &S::overlay_opacity,
        "Opacity of the heat map on the overlay where the likelihood is 1; 0 = invisible."))),
    dynamic(within(
      0.1, 60,
      member(
        "diagnostics.period", &S::diagnostics_period, "Seconds from one diagnosis to the next."))),
    dynamic(within(
      0, 3600,
      member(
        "diagnostics.stale_after", &S::diagnostics_stale_after,
        "Seconds without an image after which a camera is a warning, and an error after five times "
        "as long; 0 = never."))),
    dynamic(within(
      0, 1,
      member(
        "diagnostics.max_unknown_share", &S::diagnostics_max_unknown_share,
        "Share of unknown answers over the last minute above which a camera is a warning; 0 = "
        "never."))),
    dynamic(within(
      0, 3600,
      member(
        "diagnostics.max_latency", &S::diagnostics_max_latency,
        "Seconds from an image's arrival to its answer, 95th percentile of the last minute, above "
        "which a camera is a warning; 0 = never."))),
    dynamic(within(
      0, 1,
      member(
        "diagnostics.max_drift", &S::diagnostics_max_drift,
        "Kolmogorov-Smirnov distance of log p(x) over the last minute from the calibration's above "
        "which a camera is a warning; 0 = never."))),
  };
}

}  // namespace

template <>
const std::vector<Parameter> & parameters()
{
  static const std::vector<Parameter> table = make_parameters();
  return table;
}

}  // namespace mgproto::perception
