// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/evaluation_cache.hpp"

#include <torch/torch.h>

#include <filesystem>
#include <nlohmann/json.hpp>

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
  nlohmann::json all{dataset.layout, dataset.split, dataset.classes, dataset.part_names};
  std::map<std::string, std::string> hashes;  // of files, each of which may have many records
  const auto hash_of_file = [&hashes](const std::string & file) {
    const auto [position, is_new] = hashes.try_emplace(file);
    if (is_new && !file.empty()) {
      try {
        const FileBytes bytes(file);
        position->second = sha256_hex(bytes.data(), bytes.size());
      } catch (const FileError & error) {
        position->second = error.what();
      }
    }
    return position->second;
  };
  const auto numbers = [](const std::optional<Box> & box) {
    return box ? nlohmann::json{box->x, box->y, box->width, box->height} : nlohmann::json();
  };
  for (const Sample & sample : dataset.samples) {
    nlohmann::json parts = nlohmann::json::array();
    for (const PartLocation & part : sample.parts) {
      parts.push_back({part.part, part.x, part.y});
    }
    // What is generated is as the program draws it, which is part of every key.
    all.push_back(
      {sample.name, sample.label, sample.record, sample.generated, hash_of_file(sample.file),
       numbers(sample.crop), numbers(sample.box), hash_of_file(sample.mask), parts});
  }
  return hash_of(all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
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
