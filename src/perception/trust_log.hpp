// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__TRUST_LOG_HPP_
#define PERCEPTION__TRUST_LOG_HPP_

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>

#include "perception/perception.hpp"
#include "perception/trust_gate.hpp"

namespace mgproto::perception
{

struct LogLine
{
  LogLevel level = LogLevel::info;
  std::string text;
};

/// Tells the log when trust falls and when it is back. If that is too often, later ones are left out,
/// until what the log says last can be put right.
class TrustLog
{
public:
  static constexpr std::size_t kMost = 6;  ///< lines within kSpan
  static constexpr std::chrono::seconds kSpan{30};

  /// For each of the gate's news.
  std::optional<LogLine> line(const Trust & trust, Clock::time_point now);

private:
  std::deque<Clock::time_point> told_;  // the newest lines
  std::optional<bool> trusted_;         // as the log has it
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__TRUST_LOG_HPP_
