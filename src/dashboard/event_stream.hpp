// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DASHBOARD__EVENT_STREAM_HPP_
#define DASHBOARD__EVENT_STREAM_HPP_

#include <httplib.h>

#include <memory>

#include "dashboard/board.hpp"

namespace mgproto::dashboard
{

/// What one viewer is told, as server-sent events: `news` with what changed on the board (the first
/// with all of it), and a `tick` now and then, by which the page knows that the line is alive. All it
/// remembers is how far it has told, so a viewer who reads slowly costs nothing.
class EventStream
{
public:
  /// Holds the viewer's seat for as long as it lives.
  EventStream(const Board & board, std::shared_ptr<void> seat);

  /// Sends the next event if there is one soon. False if the viewer has left or the board closed.
  bool send_next(httplib::DataSink & sink);

private:
  const Board & board_;
  std::shared_ptr<void> seat_;
  Version told_ = 0;
  Clock::time_point last_sent_ = Clock::now();
};

}  // namespace mgproto::dashboard

#endif  // DASHBOARD__EVENT_STREAM_HPP_
