// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/flag_source.hpp"

#include <functional>

#include "model/number_text.hpp"
#include "model/printable.hpp"

namespace mgproto::perception
{
namespace
{

/// Of one image without a stamp; beyond, the next one is taken to have begun.
constexpr std::size_t kMostDetections = 1024;

bool is_stamped(const Stamp & stamp) { return stamp.nanoseconds() != 0; }

double seconds_since(FlagSource::Clock::time_point then, const Moment & now)
{
  return std::chrono::duration<double>(now.steady - then).count();
}

double age_by_stamp(const Stamp & stamp, const Moment & now)
{
  return static_cast<double>(now.clock.nanoseconds() - stamp.nanoseconds()) * 1e-9;
}

std::string in_words(double seconds) { return fixed(seconds, 1) + " s"; }

}  // namespace

bool FlagSource::begins_image(const OodFlag & flag, const Moment & now, double timeout) const
{
  if (!newest_) {
    return true;
  }
  const Image & newest = *newest_;
  if (is_stamped(flag.stamp) && flag.stamp == newest.stamp) {
    return false;
  }
  if (forgotten_ || seconds_since(newest.arrived, now) > timeout) {
    return true;
  }
  if (!is_stamped(flag.stamp) && !is_stamped(newest.stamp)) {
    return newest.detections.count(std::hash<std::string>()(flag.detection_id)) > 0 ||
           newest.detections.size() >= kMostDetections;
  }
  return flag.stamp.nanoseconds() > newest.stamp.nanoseconds();
}

void FlagSource::add(const OodFlag & flag, const Moment & now, double timeout)
{
  ++flags_;
  heard_ = now.steady;
  if (begins_image(flag, now, timeout)) {
    newest_ = Image{flag.stamp, now.steady, false, "", {}};
    forgotten_ = false;
  }
  if (!is_stamped(newest_->stamp)) {
    newest_->detections.insert(std::hash<std::string>()(flag.detection_id));
  }
  if (flag.unknown) {
    newest_->unknown = true;
    newest_->reason = flag.reason;
  }
}

void FlagSource::forget() { forgotten_ = true; }

std::optional<Doubt> FlagSource::doubt(const Moment & now, double timeout) const
{
  const auto because = [&](Level level, const std::string & text) {
    return Doubt{level, name_ + ": " + text};
  };
  if (!newest_) {
    return because(Level::error, "nothing heard yet");
  }
  const double silent = seconds_since(*heard_, now);
  if (silent > timeout) {
    return because(Level::error, "silent for " + in_words(silent));
  }
  if (forgotten_) {
    return because(Level::error, "nothing new since the clock was set back");
  }
  const double here = seconds_since(newest_->arrived, now);
  if (here > timeout) {
    return because(Level::error, "no newer image for " + in_words(here));
  }
  const double old = is_stamped(newest_->stamp) ? age_by_stamp(newest_->stamp, now) : 0;
  if (old > timeout) {
    return because(Level::error, "its image is " + in_words(old) + " old by its stamp");
  }
  if (newest_->unknown) {
    const std::string reason = printable(newest_->reason);
    return because(Level::warn, "unknown" + (reason.empty() ? "" : ": " + reason));
  }
  return std::nullopt;
}

std::optional<double> FlagSource::silence(const Moment & now) const
{
  return heard_ ? std::optional(seconds_since(*heard_, now)) : std::nullopt;
}

}  // namespace mgproto::perception
