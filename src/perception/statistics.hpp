// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__STATISTICS_HPP_
#define PERCEPTION__STATISTICS_HPP_

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "mgproto_ros/manifest.hpp"
#include "perception/recent.hpp"

namespace mgproto::perception
{

using Clock = std::chrono::steady_clock;

/// Why a frame got no answer.
enum class Drop
{
  newer_frame,    ///< a newer one came before the worker was free
  too_old,        ///< older than max_age
  rate_limit,     ///< max_rate
  no_detections,  ///< the detector said nothing about it in time
  disabled,       ///< no model is active
  failed          ///< the model could not answer
};
/// "newer frame", "too old", ...
const char * to_string(Drop drop);

/// One camera over the last minute, and its counts since the start.
struct CameraStatistics
{
  std::string camera;
  double input_rate = 0;   ///< frames per second over the last 10 s (or since the first, if later)
  double output_rate = 0;  ///< answered frames per second over the same time
  /// Seconds from a frame's arrival to its answer, last minute.
  std::optional<double> latency_p50, latency_p95, latency_max;
  std::optional<double> unknown_share;  ///< of the regions of the last minute
  /// Largest distance between the distribution function of log p(x) over the last minute and the
  /// calibration's (Kolmogorov-Smirnov), in [0, 1]; empty without calibration or below 30 regions.
  std::optional<double> drift;
  double seconds_since_start = 0;
  std::optional<double> seconds_since_frame;
  std::optional<double> seconds_since_invalid;
  /// How long frames have been coming without an answer; empty if the last one is answered.
  std::optional<double> seconds_unanswered;
  std::uint64_t received = 0;
  std::uint64_t answered = 0;
  std::uint64_t invalid = 0;
  std::map<Drop, std::uint64_t> dropped;  ///< every reason, also those that never occurred
  std::optional<Drop> last_drop;
};

/// Counts what happens to one camera's frames. Safe to call from any thread; memory is bounded
/// whatever the rate.
class StatisticsCollector
{
public:
  explicit StatisticsCollector(std::string camera, Clock::time_point start = Clock::now());

  void frame_received(Clock::time_point now);
  void message_invalid(Clock::time_point now = Clock::now());
  void frame_dropped(Drop reason);
  /// A frame of any number of regions is answered; then region_answered() for each of them.
  void frame_answered(Clock::time_point now, Clock::duration latency);
  /// A density that is not finite counts as unknown, and as lower than any other.
  void region_answered(Clock::time_point now, bool unknown, double log_density);
  /// Both, for a frame whose only region is the whole image.
  void frame_answered(
    Clock::time_point now, Clock::duration latency, bool unknown, double log_density);
  /// Forget verdicts and densities: they belong to another model.
  void model_changed();

  CameraStatistics summary(
    Clock::time_point now, const std::optional<Calibration> & calibration) const;

private:
  static constexpr std::chrono::seconds kRateSpan{10};
  static constexpr std::chrono::seconds kMinute{60};

  struct Arrival
  {
    Clock::time_point time;
  };
  struct TimedLatency
  {
    Clock::time_point time;
    Clock::duration latency;
  };
  struct TimedVerdict
  {
    Clock::time_point time;
    bool unknown;
    double log_density;
  };
  struct Record
  {
    Recent<Arrival> arrivals{kRateSpan};
    Recent<TimedLatency> latencies{kMinute};
    Recent<TimedVerdict> verdicts{kMinute};
    std::optional<Clock::time_point> first_frame, last_frame, last_invalid, unanswered_since;
    std::uint64_t received = 0;
    std::uint64_t answered = 0;
    std::uint64_t invalid = 0;
    std::map<Drop, std::uint64_t> dropped;
    std::optional<Drop> last_drop;
  };

  const std::string camera_;
  const Clock::time_point start_;
  mutable std::mutex mutex_;
  Record record_;
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__STATISTICS_HPP_
