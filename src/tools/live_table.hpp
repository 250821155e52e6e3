// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TOOLS__LIVE_TABLE_HPP_
#define TOOLS__LIVE_TABLE_HPP_

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/scoreboard.hpp"

namespace mgproto::tools
{

struct TableStyle
{
  int width = 80;  ///< columns; no line is longer
  bool colour = false;
  std::string dashboard_url;  ///< empty: not shown
};

/// The newest verdict, the counts by kind, rates and latencies.
std::vector<std::string> table_lines(const Score & score, const TableStyle & style);

/// The same in one line, for a log.
std::string table_line(const Score & score);

/// Shows a score while it changes: in a terminal as a table that is drawn over itself at most five
/// times a second, elsewhere as a line every five seconds, the first with the first prediction.
/// NO_COLOR is respected; a terminal that calls itself dumb gets lines.
class LiveTable
{
public:
  using Clock = std::chrono::steady_clock;

  /// Writes to the file descriptor `output`, which must stay open.
  LiveTable(int output, std::string dashboard_url);

  /// Whether update() would show anything now; a score costs more than this question.
  bool due(Clock::time_point now = Clock::now()) const;
  /// Shows the score if it is due.
  void update(const Score & score, Clock::time_point now = Clock::now());
  /// Shows the score for good.
  void finish(const Score & score);

private:
  void show(const Score & score);

  int output_;
  std::string dashboard_url_;
  bool in_place_;
  bool colour_;
  std::size_t lines_on_screen_ = 0;
  std::optional<Clock::time_point> shown_;
};

}  // namespace mgproto::tools

#endif  // TOOLS__LIVE_TABLE_HPP_
