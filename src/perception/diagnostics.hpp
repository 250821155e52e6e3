// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__DIAGNOSTICS_HPP_
#define PERCEPTION__DIAGNOSTICS_HPP_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "perception/settings.hpp"
#include "perception/statistics.hpp"

namespace mgproto::perception
{

/// As diagnostic_msgs/DiagnosticStatus has them.
enum class Level
{
  ok = 0,
  warn = 1,
  error = 2,
  stale = 3
};

/// One line of a robot's diagnostics, in words and in numbers.
struct Diagnosis
{
  Level level = Level::ok;
  std::string name;     ///< "node", "front: recognition", "recognition" for a camera without name
  std::string message;  ///< "active", "waiting for the first image", "no image for 3.2 s", ...
  /// The same keys in every state, units in the key; "n/a" for what cannot be told.
  std::vector<std::pair<std::string, std::string>> values;
};

/// What the node as a whole is at the moment.
struct NodeCondition
{
  bool enabled = true;
  bool active = true;
  std::string model_id;  ///< empty if no model is loaded
  std::string model_path;
  std::string device;
  std::string calibration_problem;  ///< empty if the model can say what it knows
  std::string last_error;           ///< of running the model; empty if all is well
  std::string command_error;  ///< of the last command to load or enable; empty if it went well
};

/// The node, then each camera with its state and numbers. Goes on telling when the input has
/// stopped.
///
/// | state of a camera | when | level |
/// |---|---|---|
/// | disabled | the node is (said once as a warning, by the node) | OK |
/// | rejecting | all messages of the last stale_after were invalid | ERROR |
/// | waiting | no image has come yet | WARN, ERROR after 5 * stale_after |
/// | stale | no image for stale_after | WARN, ERROR after 5 * stale_after |
/// | unanswered | images come, but none is answered for stale_after | WARN, ERROR after 5 * that |
/// | active | otherwise | OK, WARN beyond one of the max_* limits |
///
/// Without a stale_after, images are never missed; rejecting and unanswered then take 10 s.
std::vector<Diagnosis> diagnose(
  const NodeCondition & condition, const std::vector<CameraStatistics> & cameras,
  const Settings & settings);

/// Resident memory of this process in bytes; 0 if it cannot be told.
std::size_t resident_memory();

}  // namespace mgproto::perception

#endif  // PERCEPTION__DIAGNOSTICS_HPP_
