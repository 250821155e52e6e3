// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/trust_log.hpp"

#include "model/number_text.hpp"

namespace mgproto::perception
{

std::optional<LogLine> TrustLog::line(const Trust & trust, Clock::time_point now)
{
  while (!told_.empty() && now - told_.front() > kSpan) {
    told_.pop_front();
  }
  if (trusted_ == trust.trusted || told_.size() >= kMost) {
    return std::nullopt;
  }
  told_.push_back(now);
  trusted_ = trust.trusted;
  const std::string limit = "speed limit " + general(trust.speed_limit, 4) + " %";
  return trust.trusted ? LogLine{LogLevel::info, "trusted, " + limit}
                       : LogLine{LogLevel::warn, "not trusted, " + limit + ": " + trust.reason};
}

}  // namespace mgproto::perception
