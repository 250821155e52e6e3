// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__LEARN__STOPWATCH_HPP_
#define TRAINING__LEARN__STOPWATCH_HPP_

#include <chrono>

namespace mgproto
{

/// Seconds since it was made, or since the last lap.
class Stopwatch
{
public:
  double seconds() const
  {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  double lap()
  {
    const double taken = seconds();
    begin_ = std::chrono::steady_clock::now();
    return taken;
  }

private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace mgproto

#endif  // TRAINING__LEARN__STOPWATCH_HPP_
