// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DASHBOARD__CAMERA_HPP_
#define DASHBOARD__CAMERA_HPP_

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dashboard/content.hpp"

namespace mgproto::dashboard
{

using Clock = std::chrono::steady_clock;
using Bytes = std::vector<std::uint8_t>;

/// Counts the changes of everything shown. Who has seen version N wants what is newer than N.
using Version = std::uint64_t;

struct Picture
{
  Stamp stamp;
  std::shared_ptr<const Bytes> jpeg;
  /// Size of the source image, whose pixels the boxes count; 0: the picture's own size.
  int source_width = 0;
  int source_height = 0;
};

/// The newest of one camera, of bounded size, and the last minute of log p(x).
///
/// A prediction comes a little earlier than the overlay of the same frame. It is held back until its
/// overlay is there, so that the page can cut the prototypes' regions out of the very frame they are
/// in; unless overlays have failed to come for a second. Not for use by two threads at once.
class Camera
{
public:
  Camera(std::string name, Version version);

  const std::string & name() const { return name_; }

  /// `json` is json_text(prediction).
  void add(
    const Prediction & prediction, const std::string & json, Clock::time_point now,
    Version version);
  /// The version becomes the seq to ask for the picture with.
  void add(const Picture & picture, Clock::time_point now, Version version);

  /// A JSON object of what changed after `seen`; empty if nothing did.
  std::string news_since(Version seen, Clock::time_point now) const;

  /// The JPEG with this seq, the newest for 0; null if it is gone.
  std::shared_ptr<const Bytes> picture(Version seq) const;

private:
  /// What was said about one frame: one prediction, or one for each region of a detector.
  struct Moment
  {
    Stamp stamp;
    Clock::time_point arrived;
    std::vector<std::pair<std::string, std::string>> regions;  ///< detection id, JSON

    bool has(const std::string & detection_id) const;
  };
  struct NumberedPicture
  {
    Picture picture;
    Clock::time_point arrived;
    Version version;
  };
  struct Point
  {
    double score;
    double threshold;
    Verdict verdict;
    Clock::time_point arrived;
    Version version;
  };

  std::shared_ptr<Moment> moment_of(Stamp stamp) const;
  void show(std::shared_ptr<Moment> moment, Version version);

  std::string name_;
  Version added_;
  std::deque<std::shared_ptr<Moment>> moments_;  ///< some may still wait for their picture
  std::shared_ptr<Moment> shown_;
  Version shown_version_ = 0;
  std::deque<NumberedPicture> pictures_;
  std::deque<Point> points_;
  Clock::time_point last_paired_ = Clock::time_point::min();
};

/// Seconds from `then` to `now` as JSON.
std::string age_text(Clock::time_point then, Clock::time_point now);

}  // namespace mgproto::dashboard

#endif  // DASHBOARD__CAMERA_HPP_
