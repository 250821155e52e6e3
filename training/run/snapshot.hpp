// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__SNAPSHOT_HPP_
#define TRAINING__RUN__SNAPSHOT_HPP_

#include <string>

#include "training/learn/memory_bank.hpp"

namespace mgproto
{

/// All that a training needs to go on as if nothing had happened. Random numbers are keyed by seed,
/// epoch and image, so the position in the data is their whole state.
struct Snapshot
{
  State state;             ///< of the Trainer
  std::int64_t epoch = 0;  ///< to go on in
  std::int64_t batch = 0;  ///< to go on at
  double best_accuracy = -1;
  std::int64_t metrics_bytes = 0;  ///< length of metrics.jsonl at that moment
};

/// Atomic: a kill at any moment leaves the old snapshot or the new one.
void write_snapshot(const std::string & path, const Snapshot & snapshot);

/// Throws FileError.
Snapshot read_snapshot(const std::string & path);

}  // namespace mgproto

#endif  // TRAINING__RUN__SNAPSHOT_HPP_
