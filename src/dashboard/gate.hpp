// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DASHBOARD__GATE_HPP_
#define DASHBOARD__GATE_HPP_

#include <deque>
#include <string>

#include "dashboard/camera.hpp"
#include "dashboard/content.hpp"

namespace mgproto::dashboard
{

/// The newest of one trust gate, and what it said over the last minute. Not for use by two threads at
/// once.
class Gate
{
public:
  void add(const Trust & trust, Clock::time_point now, Version version);

  /// A JSON object of what changed after `seen`; empty if nothing did.
  std::string news_since(Version seen, Clock::time_point now) const;

private:
  struct Point
  {
    bool trusted;
    double speed_limit;
    Clock::time_point arrived;
    Version version;
  };

  std::string newest_;  // as JSON
  std::deque<Point> points_;
};

}  // namespace mgproto::dashboard

#endif  // DASHBOARD__GATE_HPP_
