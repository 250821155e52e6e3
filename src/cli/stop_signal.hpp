// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CLI__STOP_SIGNAL_HPP_
#define CLI__STOP_SIGNAL_HPP_

#include <atomic>
#include <chrono>

namespace mgproto::cli
{

/// From now on Ctrl-C and SIGTERM set the flag instead of ending the process; a second one ends it
/// at once.
const std::atomic<bool> & stop_on_signal();

/// Sleeps until the flag is set or the time is over; whether the flag is set.
bool stopped_within(std::chrono::milliseconds time);

}  // namespace mgproto::cli

#endif  // CLI__STOP_SIGNAL_HPP_
