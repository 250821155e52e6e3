// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/evaluation_cache.hpp"

#include <torch/torch.h>

#include <filesystem>

#include "mgproto_ros/error.hpp"
#include "model/file_io.hpp"
#include "model/sha256.hpp"
#include "training/run/state_file.hpp"

namespace mgproto
{
namespace
{

namespace fs = std::filesystem;

std::string hash_of(const std::string & text) { return sha256_hex(text.data(), text.size()); }

/// Changes with every build that changes anything, also between two releases.
std::string program()
{
  std::error_code error;
  const fs::path file = fs::read_symlink("/proc/self/exe", error);
  return std::string(MGPROTO_VERSION) + " " + std::to_string(fs::file_size(file, error)) + " " +
         std::to_string(fs::last_write_time(file, error).time_since_epoch().count());
}

}  // namespace

std::string fingerprint(const Dataset & dataset)
{
  std::string text;
  for (const Sample & sample : dataset.samples) {
    if (!sample.generated.empty()) {  // as the program draws it, which is part of every key
      text += sample.generated + " " + std::to_string(sample.record) + " " +
              std::to_string(sample.label) + "\n";
      continue;
    }
    std::error_code error;
    const auto bytes = fs::file_size(sample.file, error);
    const auto changed = fs::last_write_time(sample.file, error).time_since_epoch().count();
    text += sample.file + " " + std::to_string(sample.record) + " " + std::to_string(sample.label) +
            " " + std::to_string(bytes) + " " + std::to_string(changed) + "\n";
  }
  return hash_of(text);
}

std::string EvaluationCache::file_of(const std::string & key, const std::string & ending) const
{
  if (directory_.empty()) {
    throw Error("no cache");
  }
  return directory_ + "/" + hash_of(program() + "\n" + key) + ending;
}

void EvaluationCache::try_to_write(const std::function<void()> & write) const
{
  std::error_code error;
  fs::create_directories(directory_, error);
  try {
    write();
  } catch (const Error &) {
  }
}

std::optional<std::string> EvaluationCache::text(
  const std::string & key, const std::string & ending) const
{
  try {
    return read_text(file_of(key, ending), "a result");
  } catch (const Error &) {
    return std::nullopt;
  }
}

void EvaluationCache::keep(
  const std::string & key, const std::string & ending, const std::string & text) const
{
  try_to_write([&] { write_atomically(file_of(key, ending), {{text.data(), text.size()}}); });
}

std::optional<EvaluationCache::Tensors> EvaluationCache::tensors(const std::string & key) const
{
  try {
    return read_state(file_of(key, ".safetensors")).state;
  } catch (const Error &) {
    return std::nullopt;
  }
}

void EvaluationCache::keep(const std::string & key, const Tensors & tensors) const
{
  try_to_write([&] { write_state(file_of(key, ".safetensors"), tensors, ""); });
}

}  // namespace mgproto
