// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__LOG_LIMITER_HPP_
#define PERCEPTION__LOG_LIMITER_HPP_

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "perception/statistics.hpp"

namespace mgproto::perception
{

/// Keeps a fault that comes with every frame from filling the log: it is told once, and again only
/// if it comes back after all was well, at most every 30 s. Safe to call from any thread.
class LogLimiter
{
public:
  static constexpr std::chrono::seconds kPause{30};

  /// Whether to log a fault of this kind now.
  bool allows(int camera, const std::string & kind, Clock::time_point now);
  /// All is well with this camera again.
  void recovered(int camera);

private:
  struct Fault
  {
    Clock::time_point logged;
    bool recovered = false;
  };

  std::mutex mutex_;
  std::map<std::pair<int, std::string>, Fault> faults_;
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__LOG_LIMITER_HPP_
