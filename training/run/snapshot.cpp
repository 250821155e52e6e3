// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/snapshot.hpp"

#include <nlohmann/json.hpp>

#include "mgproto_ros/error.hpp"
#include "training/run/state_file.hpp"

namespace mgproto
{

void write_snapshot(const std::string & path, const Snapshot & snapshot)
{
  const nlohmann::json position{
    {"epoch", snapshot.epoch},
    {"batch", snapshot.batch},
    {"best_accuracy", snapshot.best_accuracy},
    {"metrics_bytes", snapshot.metrics_bytes}};
  write_state(path, snapshot.state, position.dump());
}

Snapshot read_snapshot(const std::string & path)
{
  StateFile file = read_state(path);
  Snapshot snapshot;
  try {
    const auto position = nlohmann::json::parse(file.about);
    snapshot.epoch = position.at("epoch");
    snapshot.batch = position.at("batch");
    snapshot.best_accuracy = position.at("best_accuracy");
    snapshot.metrics_bytes = position.at("metrics_bytes");
  } catch (const nlohmann::json::exception &) {
    throw FileError(path, "is not a snapshot of a training");
  }
  snapshot.state = std::move(file.state);
  return snapshot;
}

}  // namespace mgproto
