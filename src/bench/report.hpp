// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BENCH__REPORT_HPP_
#define BENCH__REPORT_HPP_

#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/growth.hpp"

namespace mgproto::bench
{

/// Writes the page `path` (Markdown): machine, date and command, the targets, and for each growth a
/// table and a plot in a file of its own beside the page. Where the page exists and has a line
/// `<!-- measured -->`, what stands above it stays. Throws FileError.
void write_report(
  const std::string & path, const std::string & command, const Machine & machine,
  const Outcome & outcome, const std::vector<Growth> & growths);

}  // namespace mgproto::bench

#endif  // BENCH__REPORT_HPP_
