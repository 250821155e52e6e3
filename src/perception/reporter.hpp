// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__REPORTER_HPP_
#define PERCEPTION__REPORTER_HPP_

#include <array>
#include <exception>
#include <mutex>
#include <string>
#include <vector>

#include "perception/log_limiter.hpp"
#include "perception/perception.hpp"

namespace mgproto::perception
{

constexpr int kNoCamera = -1;

/// Tells the log what goes wrong, each kind of fault once, and remembers the last fault of the
/// model and of those who command the node. Safe to call from any thread; never throws.
class Reporter
{
public:
  enum Of
  {
    answers,  ///< the next good one takes it back
    commands  ///< to load, to enable: only the next one that succeeds takes it back
  };

  /// The outputs must outlive this.
  Reporter(std::vector<std::string> cameras, Outputs & outputs);

  void log(LogLevel level, const std::string & text) noexcept;
  /// At most as often as LogLimiter allows.
  void fault(
    LogLevel level, int camera, const std::string & kind, const std::string & text) noexcept;
  /// All is well with this camera again.
  void recovered(int camera) { limiter_.recovered(camera); }

  /// Whether the call went well. If it throws, `what` failed, and that is all.
  template <typename Call>
  bool guarded(int camera, const char * what, const Call & call) noexcept
  {
    try {
      call();
      return true;
    } catch (const std::exception & error) {
      failed(camera, what, error.what());
    } catch (...) {
      failed(camera, what, "an exception without a message");
    }
    return false;
  }

  /// Empty where all is well.
  std::string last_error(Of of) const;
  void set_last_error(Of of, const std::string & text);

private:
  void failed(int camera, const char * what, const char * cause) noexcept;

  const std::vector<std::string> cameras_;
  Outputs & outputs_;
  LogLimiter limiter_;
  mutable std::mutex mutex_;
  std::array<std::string, 2> last_error_;
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__REPORTER_HPP_
