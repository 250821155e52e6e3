// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__REPORT__REPORT_HPP_
#define TRAINING__REPORT__REPORT_HPP_

#include <string>

namespace mgproto
{

/// Writes `report.html` into the directory of a training run: one page that needs no network and no
/// other file. It shows what the run has written so far, of
///   config.yaml    the resolved settings
///   metrics.jsonl  a line per iteration and per epoch; lines that cannot be read are skipped
///   results.json   written when training ends; without it the page says that training goes on
/// where every share (accuracy, FPR95, AUROC, TPR) is a fraction of 1. Anything in them may be
/// missing or null.
///
/// Cheap enough to call after every epoch. Throws FileError if results.json is not JSON or the page
/// cannot be written; an older page then stays as it was.
void write_report(const std::string & run_directory);

}  // namespace mgproto

#endif  // TRAINING__REPORT__REPORT_HPP_
