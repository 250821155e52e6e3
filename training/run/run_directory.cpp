// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/run_directory.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "datasets/text_file.hpp"
#include "mgproto_ros/error.hpp"
#include "model/file_io.hpp"
#include "training/config_file.hpp"
#include "training/run/state_file.hpp"

namespace mgproto
{

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(
  Position, epoch, batch, images, right, seconds, epoch_begin, metrics_bytes)

void make_run_directory(const std::string & directory)
{
  std::error_code error;
  if (!std::filesystem::create_directories(directory, error)) {
    throw FileError(
      directory, error ? "cannot be made: " + error.message()
                       : "exists already: choose another directory, or resume it");
  }
}

void write_config(const std::string & directory, const TrainingConfig & config)
{
  const std::string yaml = to_yaml(config);
  write_atomically(directory + "/config.yaml", {{yaml.data(), yaml.size()}});
}

void write_calibration_list(const std::string & directory, const Dataset & calibration)
{
  std::string list = "path,label\n";
  for (const Sample & sample : calibration.samples) {
    if (sample.record >= 0 || sample.crop) {
      return;
    }
    list += csv_field(std::filesystem::absolute(sample.file).string()) + "," +
            csv_field(calibration.classes[sample.label]) + "\n";
  }
  write_atomically(directory + "/calibration.csv", {{list.data(), list.size()}});
}

void write_snapshot(const std::string & directory, const Snapshot & snapshot)
{
  write_state(
    directory + "/snapshot.safetensors", snapshot.state, nlohmann::json(snapshot.position).dump());
}

Snapshot read_snapshot(const std::string & directory)
{
  const std::string path = directory + "/snapshot.safetensors";
  StateFile file = read_state(path);
  try {
    return {nlohmann::json::parse(file.about).get<Position>(), std::move(file.state)};
  } catch (const nlohmann::json::exception &) {
    throw FileError(path, "is not a snapshot of a training");
  }
}

}  // namespace mgproto
