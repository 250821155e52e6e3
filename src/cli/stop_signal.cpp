// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/stop_signal.hpp"

#include <algorithm>
#include <csignal>
#include <thread>

namespace mgproto::cli
{
namespace
{

std::atomic<bool> stop_requested{false};

void on_signal(int signal)
{
  stop_requested = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool> & stop_on_signal()
{
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  return stop_requested;
}

bool stopped_within(std::chrono::milliseconds time)
{
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + time;
  while (!stop_requested && Clock::now() < end) {
    // Signals do not end a sleep of all threads: look often enough to be prompt.
    const Clock::duration left = end - Clock::now();
    std::this_thread::sleep_for(std::min<Clock::duration>(left, std::chrono::milliseconds(50)));
  }
  return stop_requested;
}

}  // namespace mgproto::cli
