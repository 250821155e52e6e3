// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "model/quantile.hpp"

namespace mgproto::perception
{
namespace
{

constexpr std::size_t kFewestForDrift = 30;
constexpr std::array kDrops = {Drop::newer_frame,   Drop::too_old,  Drop::rate_limit,
                               Drop::no_detections, Drop::disabled, Drop::failed};

double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

/// Not negative, for another thread's sample may be newer than `now`.
std::optional<double> seconds_since(std::optional<Clock::time_point> time, Clock::time_point now)
{
  if (!time) {
    return std::nullopt;
  }
  return std::max(0.0, seconds(now - *time));
}

/// The smallest value that at least this share of all values does not exceed. Reorders them.
std::optional<double> percentile(std::vector<double> & values, double share)
{
  if (values.empty()) {
    return std::nullopt;
  }
  // Without the small step back, 0.95 * 20 might round to above 19.
  const double rank = std::ceil(share * static_cast<double>(values.size()) - 1e-9);
  const auto nth = values.begin() + std::max<std::ptrdiff_t>(0, std::lround(rank) - 1);
  std::nth_element(values.begin(), nth, values.end());
  return *nth;
}

/// Kolmogorov-Smirnov distance. Between two samples one function is flat and the other rises, so
/// they are farthest apart right at a sample or right in front of it.
double distance(std::vector<double> samples, const std::vector<double> & quantiles)
{
  std::sort(samples.begin(), samples.end());
  const auto count = static_cast<double>(samples.size());
  double farthest = 0;
  for (auto first = samples.begin(); first != samples.end();) {
    const auto last = std::upper_bound(first, samples.end(), *first);
    const double below = static_cast<double>(first - samples.begin()) / count;
    const double at_or_below = static_cast<double>(last - samples.begin()) / count;
    farthest = std::max(
      {farthest, std::abs(below - share_below(quantiles, *first)),
       std::abs(at_or_below - share_below(quantiles, *first, /*or_equal=*/true))});
    first = last;
  }
  return farthest;
}

}  // namespace

const char * to_string(Drop drop)
{
  switch (drop) {
    case Drop::newer_frame:
      return "newer frame";
    case Drop::too_old:
      return "too old";
    case Drop::rate_limit:
      return "rate limit";
    case Drop::no_detections:
      return "no detections";
    case Drop::disabled:
      return "disabled";
    case Drop::failed:
      return "failed";
  }
  return "?";
}

StatisticsCollector::StatisticsCollector(std::string camera, Clock::time_point start)
: camera_(std::move(camera)), start_(start)
{
  for (const Drop drop : kDrops) {
    record_.dropped[drop] = 0;
  }
}

void StatisticsCollector::frame_received(Clock::time_point now)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  ++record_.received;
  record_.arrivals.add({now});
  record_.last_frame = now;
  if (!record_.first_frame) {
    record_.first_frame = now;
  }
  if (!record_.unanswered_since) {
    record_.unanswered_since = now;
  }
}

void StatisticsCollector::message_invalid(Clock::time_point now)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  ++record_.invalid;
  record_.last_invalid = now;
}

void StatisticsCollector::frame_dropped(Drop reason)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  ++record_.dropped[reason];
  record_.last_drop = reason;
  if (reason == Drop::disabled) {
    record_.unanswered_since.reset();  // nobody waits for an answer
  }
}

void StatisticsCollector::frame_answered(Clock::time_point now, Clock::duration latency)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  ++record_.answered;
  record_.latencies.add({now, latency});
  record_.unanswered_since.reset();
}

void StatisticsCollector::region_answered(Clock::time_point now, bool unknown, double log_density)
{
  const bool finite = std::isfinite(log_density);
  const double density = finite ? log_density : -std::numeric_limits<double>::infinity();
  const std::lock_guard<std::mutex> lock(mutex_);
  record_.verdicts.add({now, unknown || !finite, density});
}

void StatisticsCollector::frame_answered(
  Clock::time_point now, Clock::duration latency, bool unknown, double log_density)
{
  frame_answered(now, latency);
  region_answered(now, unknown, log_density);
}

void StatisticsCollector::model_changed()
{
  const std::lock_guard<std::mutex> lock(mutex_);
  record_.verdicts.clear();
}

CameraStatistics StatisticsCollector::summary(
  Clock::time_point now, const std::optional<Calibration> & calibration) const
{
  // A copy, so that sorting it holds nobody up.
  const Record record = [this] {
    const std::lock_guard<std::mutex> lock(mutex_);
    return record_;
  }();

  CameraStatistics statistics;
  statistics.camera = camera_;
  if (record.first_frame) {
    const Clock::time_point start = std::max(now - kRateSpan, *record.first_frame);
    statistics.input_rate = record.arrivals.rate(start, now);
    statistics.output_rate = record.latencies.rate(start, now);
  }

  std::vector<double> latencies;
  record.latencies.after(now - kMinute, [&](const TimedLatency & frame) {
    latencies.push_back(seconds(frame.latency));
  });
  statistics.latency_p50 = percentile(latencies, 0.5);
  statistics.latency_p95 = percentile(latencies, 0.95);
  statistics.latency_max = percentile(latencies, 1.0);

  std::vector<double> densities;
  std::size_t unknown = 0;
  record.verdicts.after(now - kMinute, [&](const TimedVerdict & sample) {
    densities.push_back(sample.log_density);
    unknown += sample.unknown ? 1 : 0;
  });
  if (!densities.empty()) {
    statistics.unknown_share = static_cast<double>(unknown) / static_cast<double>(densities.size());
  }
  if (calibration && calibration->log_density.size() >= 2 && densities.size() >= kFewestForDrift) {
    statistics.drift = distance(std::move(densities), calibration->log_density);
  }

  statistics.seconds_since_start = std::max(0.0, seconds(now - start_));
  statistics.seconds_since_frame = seconds_since(record.last_frame, now);
  statistics.seconds_since_invalid = seconds_since(record.last_invalid, now);
  statistics.seconds_unanswered = seconds_since(record.unanswered_since, now);
  statistics.received = record.received;
  statistics.answered = record.answered;
  statistics.invalid = record.invalid;
  statistics.dropped = record.dropped;
  statistics.last_drop = record.last_drop;
  return statistics;
}

}  // namespace mgproto::perception
