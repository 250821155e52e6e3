// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/run_directory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "datasets/text_file.hpp"
#include "mgproto_ros/error.hpp"
#include "model/file_io.hpp"
#include "training/config_file.hpp"
#include "training/run/state_file.hpp"

namespace mgproto
{

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(
  Position, epoch, batch, images, right, seconds, epoch_begin, metrics_bytes)

RunLock lock_run_directory(const std::string & directory)
{
  const int file = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) {
    throw FileError(directory, "cannot be opened: " + std::generic_category().message(errno));
  }
  const RunLock lock(new int(file), [](const int * number) {
    close(*number);
    delete number;
  });
  // Where a file system has no locks there is none.
  if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    throw FileError(directory, "another process is at work in it");
  }
  return lock;
}

RunLock make_run_directory(const std::string & directory)
{
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) {
    throw FileError(directory, "cannot be made: " + error.message());
  }
  RunLock lock = lock_run_directory(directory);
  const auto has = [&](const char * name) { return fs::exists(directory + "/" + name); };
  const bool has_begun = has("snapshot.safetensors") || has("final.safetensors");
  if (has_begun || (!has("config.yaml") && !fs::is_empty(directory))) {
    throw FileError(directory, "exists already: choose another directory, or resume it");
  }
  return lock;
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
