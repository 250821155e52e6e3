// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/reporter.hpp"

#include <utility>

namespace mgproto::perception
{

Reporter::Reporter(std::vector<std::string> cameras, Outputs & outputs)
: cameras_(std::move(cameras)), outputs_(outputs)
{
}

void Reporter::log(LogLevel level, const std::string & text) noexcept
{
  try {
    outputs_.log(level, text);
  } catch (...) {  // then there is no place left to tell it
  }
}

void Reporter::fault(
  LogLevel level, int camera, const std::string & kind, const std::string & text) noexcept
{
  try {
    if (limiter_.allows(camera, kind, Clock::now())) {
      const std::string name = camera == kNoCamera ? "" : cameras_.at(camera);
      log(level, name.empty() ? text : name + ": " + text);
    }
  } catch (...) {  // no memory for a line of text
  }
}

void Reporter::failed(int camera, const char * what, const char * cause) noexcept
{
  try {
    fault(LogLevel::error, camera, what, std::string(what) + " failed: " + cause);
  } catch (...) {  // no memory for a line of text
  }
}

std::string Reporter::last_error(Of of) const
{
  const std::lock_guard lock(mutex_);
  return last_error_[of];
}

void Reporter::set_last_error(Of of, const std::string & text)
{
  const std::lock_guard lock(mutex_);
  last_error_[of] = text;
}

}  // namespace mgproto::perception
