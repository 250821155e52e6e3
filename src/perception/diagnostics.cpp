// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/diagnostics.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <locale>
#include <optional>

#include "model/number_text.hpp"

namespace mgproto::perception
{
namespace
{

constexpr double kErrorAfter = 5;       // times the patience that a warning takes
constexpr double kPatience = 10;        // seconds, where stale_after sets none
constexpr double kPeriodsToAnswer = 2;  // of max_rate, before an answer is missed
constexpr double kBytesPerMegabyte = 1e6;

std::string number(std::optional<double> value, int decimals)
{
  return value ? fixed(*value, decimals) : "n/a";
}

std::string in_seconds(double value) { return fixed(value, value < 10 ? 1 : 0) + " s"; }

std::string text_or_none(const std::string & text) { return text.empty() ? "n/a" : text; }

/// "0.81 s, more than 0.80 s".
std::string beyond_limit(
  double value, double limit, int digits, const char * unit, const char * what = "")
{
  const auto [first, second] = told_apart(value, limit, digits, fixed);
  return first + unit + what + ", more than " + second + unit;
}

void worsen(Diagnosis & diagnosis, Level level, const std::string & problem)
{
  diagnosis.message += (diagnosis.message.empty() ? "" : "; ") + problem;
  diagnosis.level = std::max(diagnosis.level, level);
}

/// Where the images of a camera get stuck, if they do.
struct Flow
{
  std::string state;
  Level level;
  std::string message;
};

Flow flow(
  const NodeCondition & condition, const CameraStatistics & camera, const Settings & settings)
{
  const bool may_be_stale = settings.diagnostics_stale_after > 0;
  const double patience = may_be_stale ? settings.diagnostics_stale_after : kPatience;
  const double answer_patience =
    settings.max_rate > 0 ? std::max(patience, kPeriodsToAnswer / settings.max_rate) : patience;
  const auto severity = [](double waited, double allowed) {
    return waited > kErrorAfter * allowed ? Level::error : Level::warn;
  };

  if (!condition.enabled) {
    return {"disabled", Level::ok, "disabled"};
  }
  if (!condition.active) {
    return {"inactive", Level::ok, "inactive"};
  }
  const double waited = camera.seconds_since_frame.value_or(camera.seconds_since_start);
  const bool invalid_lately =
    camera.seconds_since_invalid && *camera.seconds_since_invalid <= patience;
  if (invalid_lately && (!camera.seconds_since_frame || waited > patience)) {
    return {
      "rejecting", Level::error,
      "every image is rejected, " + std::to_string(camera.invalid) + " so far: see the log"};
  }
  if (!camera.seconds_since_frame) {
    return {
      "waiting", may_be_stale ? severity(waited, patience) : Level::warn,
      "waiting for the first image"};
  }
  if (may_be_stale && waited > patience) {
    return {"stale", severity(waited, patience), "no image for " + in_seconds(waited)};
  }
  const double unanswered = camera.seconds_unanswered.value_or(0);
  if (unanswered > answer_patience && waited <= patience) {
    return {
      "unanswered", severity(unanswered, answer_patience),
      "images come, but none was answered for " + in_seconds(unanswered) +
        (camera.last_drop ? std::string(" (last reason: ") + to_string(*camera.last_drop) + ")"
                          : "")};
  }
  return {"active", Level::ok, ""};
}

/// Warns where a measured value is beyond its limit; a limit of 0 is none.
void check_limits(
  Diagnosis & diagnosis, const NodeCondition & condition, const CameraStatistics & camera,
  const Settings & settings)
{
  const auto beyond = [](std::optional<double> value, double limit) {
    return value && limit > 0 && *value > limit;
  };
  // Without calibration everything is unknown, and the node's own warning says so.
  if (
    condition.calibration_problem.empty() &&
    beyond(camera.unknown_share, settings.diagnostics_max_unknown_share)) {
    worsen(
      diagnosis, Level::warn,
      beyond_limit(
        100 * *camera.unknown_share, 100 * settings.diagnostics_max_unknown_share, 0, " %",
        " unknown"));
  }
  if (beyond(camera.latency_p95, settings.diagnostics_max_latency)) {
    worsen(
      diagnosis, Level::warn,
      "latency of " + beyond_limit(*camera.latency_p95, settings.diagnostics_max_latency, 3, " s"));
  }
  if (beyond(camera.drift, settings.diagnostics_max_drift)) {
    worsen(
      diagnosis, Level::warn,
      "images differ from the calibration's: drift of " +
        beyond_limit(*camera.drift, settings.diagnostics_max_drift, 2, ""));
  }
}

Diagnosis diagnose_camera(
  const NodeCondition & condition, const CameraStatistics & camera, const Settings & settings)
{
  const Flow found = flow(condition, camera, settings);
  Diagnosis diagnosis;
  diagnosis.name = camera.camera.empty() ? "recognition" : camera.camera + ": recognition";
  diagnosis.level = found.level;
  diagnosis.message = found.message;
  if (found.state == "active") {
    check_limits(diagnosis, condition, camera, settings);
    if (diagnosis.message.empty()) {
      diagnosis.message = "active";
    }
  }
  diagnosis.values = {
    {"state", found.state},
    {"input rate (Hz)", number(camera.input_rate, 2)},
    {"output rate (Hz)", number(camera.output_rate, 2)},
    {"latency, median (s)", number(camera.latency_p50, 4)},
    {"latency, 95th percentile (s)", number(camera.latency_p95, 4)},
    {"latency, maximum (s)", number(camera.latency_max, 4)},
    {"unknown share (0 to 1)", number(camera.unknown_share, 3)},
    {"drift (0 to 1)", number(camera.drift, 3)},
    {"time since last image (s)", number(camera.seconds_since_frame, 2)},
    {"images received", std::to_string(camera.received)},
    {"images answered", std::to_string(camera.answered)},
    {"messages invalid", std::to_string(camera.invalid)},
  };
  for (const auto & [reason, count] : camera.dropped) {
    diagnosis.values.emplace_back(
      std::string("images dropped: ") + to_string(reason), std::to_string(count));
  }
  return diagnosis;
}

Diagnosis diagnose_node(const NodeCondition & condition)
{
  Diagnosis diagnosis;
  diagnosis.name = "node";
  if (!condition.last_error.empty()) {
    worsen(diagnosis, Level::error, condition.last_error);
  }
  if (!condition.command_error.empty()) {
    worsen(diagnosis, Level::error, condition.command_error);
  }
  if (!condition.enabled) {
    worsen(diagnosis, Level::warn, "disabled, no image is answered");
  } else if (!condition.active) {
    worsen(diagnosis, Level::warn, "inactive, no image is answered");
  } else if (condition.model_id.empty()) {
    worsen(diagnosis, Level::warn, "no model is loaded");
  } else if (!condition.calibration_problem.empty()) {
    worsen(diagnosis, Level::warn, condition.calibration_problem + "; everything is unknown");
  }
  if (diagnosis.message.empty()) {
    diagnosis.message = "active";
  }
  const std::size_t memory = resident_memory();
  diagnosis.values = {
    {"enabled", condition.enabled ? "true" : "false"},
    {"model", text_or_none(condition.model_id)},
    {"model path", text_or_none(condition.model_path)},
    {"calibrated", condition.calibration_problem.empty() ? "true" : "false"},
    {"device", text_or_none(condition.device)},
    {"memory (MB)",
     memory == 0 ? "n/a" : number(static_cast<double>(memory) / kBytesPerMegabyte, 1)},
  };
  return diagnosis;
}

}  // namespace

std::vector<Diagnosis> diagnose(
  const NodeCondition & condition, const std::vector<CameraStatistics> & cameras,
  const Settings & settings)
{
  std::vector<Diagnosis> diagnoses{diagnose_node(condition)};
  for (const CameraStatistics & camera : cameras) {
    diagnoses.push_back(diagnose_camera(condition, camera, settings));
  }
  return diagnoses;
}

std::size_t resident_memory()
{
  std::ifstream file("/proc/self/statm");
  file.imbue(std::locale::classic());
  std::size_t total_pages = 0;
  std::size_t resident_pages = 0;
  const long page = sysconf(_SC_PAGESIZE);
  if (!(file >> total_pages >> resident_pages) || page <= 0) {
    return 0;
  }
  return resident_pages * static_cast<std::size_t>(page);
}

}  // namespace mgproto::perception
