// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__REPORT__REPORT_HPP_
#define TRAINING__REPORT__REPORT_HPP_

#include <string>

#include "training/measure/results.hpp"

namespace mgproto
{

/// The folder of a run in which the one stands that it is compared with.
constexpr const char * kBaseline = "fit";

/// Writes run_directory/report.html, one page that needs no network, from what it finds there:
///   config.yaml    the resolved settings
///   metrics.jsonl  a line per iteration and per epoch; lines that cannot be read are skipped
///   fit/           a run to compare with
/// and the results; without them the page says that training goes on. Anything may be missing.
///
/// Cheap enough to call after every epoch. Throws FileError if the page cannot be written; an older
/// page then stays as it was.
void write_report(const std::string & run_directory, const TrainingResults * results = nullptr);

}  // namespace mgproto

#endif  // TRAINING__REPORT__REPORT_HPP_
