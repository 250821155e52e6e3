// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BENCH__PROCESS_MEMORY_HPP_
#define BENCH__PROCESS_MEMORY_HPP_

namespace mgproto::bench
{

// Of this process, as the kernel counts it (/proc/self/status). Throws FileError without one.

double resident_megabytes();
/// The largest since the process began, or since begin_peak().
double peak_megabytes();
/// First gives memory that is free back to the kernel, lest earlier work hide what comes.
void begin_peak();

}  // namespace mgproto::bench

#endif  // BENCH__PROCESS_MEMORY_HPP_
