// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__SETTINGS_HPP_
#define PERCEPTION__SETTINGS_HPP_

#include <string>
#include <vector>

namespace mgproto::perception
{

/// Everything that can be set about a node, with its defaults. The table in parameters.hpp gives
/// each its name, range and text.
struct Settings
{
  // Fixed once the node runs.
  std::string model;
  std::string device = "auto";
  int num_threads = 0;
  bool half = false;
  std::vector<std::string> cameras;
  std::string image_transport = "raw";
  bool allow_depth = false;
  bool use_detections = false;
  bool use_depth = false;
  std::string album_directory;
  std::string teach_directory;

  // May change at any time.
  double max_age = 0.0;
  double max_rate = 0.0;
  int top_k = 5;
  double detections_max_wait = 0.2;
  double depth_tolerance = 0.1;
  double depth_max = 20.0;
  double ood_tpr = 0.0;
  std::string ood_score;
  int ood_enter = 1;
  int ood_leave = 1;
  double ood_enter_seconds = 0.0;
  double ood_leave_seconds = 0.0;
  int album_size = 200;
  int evidence_prototypes = 3;
  int overlay_prototypes = 3;
  double overlay_opacity = 0.4;
  double diagnostics_period = 1.0;
  double diagnostics_stale_after = 2.0;
  double diagnostics_max_unknown_share = 0.5;
  double diagnostics_max_latency = 1.0;
  double diagnostics_max_drift = 0.25;
};

/// One for each camera, empty for the only one where none is named.
inline std::vector<std::string> camera_names(const Settings & settings)
{
  return settings.cameras.empty() ? std::vector<std::string>{""} : settings.cameras;
}

}  // namespace mgproto::perception

#endif  // PERCEPTION__SETTINGS_HPP_
