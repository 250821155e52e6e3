// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__FLAG_SOURCE_HPP_
#define PERCEPTION__FLAG_SOURCE_HPP_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "perception/diagnostics.hpp"
#include "perception/frame.hpp"

namespace mgproto::perception
{

/// What a perception node says about an image, or about one region of it.
struct OodFlag
{
  Stamp stamp;
  bool unknown = true;
  std::string reason;
  std::string detection_id;  ///< empty: the whole image
};

/// A point in time by two clocks: one that nobody sets, for what passes here, and the node's, which
/// stamps are of and which a simulation or a bag may set to anything.
struct Moment
{
  std::chrono::steady_clock::time_point steady;
  Stamp clock;
};

/// Why something is not to be trusted.
struct Doubt
{
  Level level = Level::warn;  ///< error if nothing can be said, for want of flags
  std::string text;
};

/// The newest image that one topic of flags is about.
///
/// Flags with one stamp are of one image, which is unknown as soon as one of them says so, and as old
/// as the first of them: a stamp that stands still, as of a camera that is frozen, does not make it
/// young again. Of images without a stamp one ends when a detection's id comes a second time. A flag
/// of an older image than the newest can only speak against it, until the newest has become too old.
class FlagSource
{
public:
  using Clock = std::chrono::steady_clock;

  /// The topic's name, for the texts.
  explicit FlagSource(std::string name) : name_(std::move(name)) {}

  void add(const OodFlag & flag, const Moment & now, double timeout);
  /// The clock was set back: what was said before is of another time.
  void forget();

  /// Nothing if the newest image is known and not older than `timeout` seconds, neither since its first
  /// flag came nor by its stamp. A stamp of zero, of a camera that has no clock, and one in the
  /// future say nothing about its age.
  std::optional<Doubt> doubt(const Moment & now, double timeout) const;

  const std::string & name() const { return name_; }
  std::uint64_t flags() const { return flags_; }
  /// Seconds since the last flag, whatever it said; nothing before the first.
  std::optional<double> silence(const Moment & now) const;

private:
  struct Image
  {
    Stamp stamp;
    Clock::time_point arrived;
    bool unknown = false;
    std::string reason;
    std::set<std::size_t> detections;  // hashes of their ids
  };

  bool begins_image(const OodFlag & flag, const Moment & now, double timeout) const;

  std::string name_;
  std::optional<Image> newest_;
  bool forgotten_ = false;  // newest_ is of before the clock was set back
  std::optional<Clock::time_point> heard_;
  std::uint64_t flags_ = 0;
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__FLAG_SOURCE_HPP_
