// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BENCH__STOPWATCH_HPP_
#define BENCH__STOPWATCH_HPP_

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace mgproto::bench
{

/// The middle value, or the mean of the two in the middle. `values` must not be empty.
inline double median(std::vector<double> values)
{
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// One of the things that are timed against each other.
struct Contestant
{
  std::function<void()> run;
  std::function<void()> prepare = {};  ///< before each run, not timed; may be empty
};

/// Median seconds of each contestant. They take turns, A B A B ..., so that a machine that becomes
/// slower or faster meanwhile does so for all. A first round, which sets things up, does not count.
template <class Clock = std::chrono::steady_clock>
std::vector<double> interleaved_medians(int repeats, const std::vector<Contestant> & contestants)
{
  std::vector<std::vector<double>> seconds(contestants.size());
  for (int round = 0; round <= repeats; ++round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      if (contestants[i].prepare) {
        contestants[i].prepare();
      }
      const auto begin = Clock::now();
      contestants[i].run();
      const std::chrono::duration<double> taken = Clock::now() - begin;
      if (round > 0) {
        seconds[i].push_back(taken.count());
      }
    }
  }
  std::vector<double> medians;
  for (const std::vector<double> & of_one : seconds) {
    medians.push_back(median(of_one));
  }
  return medians;
}

}  // namespace mgproto::bench

#endif  // BENCH__STOPWATCH_HPP_
