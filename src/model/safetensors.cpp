// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/safetensors.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "mgproto_ros/error.hpp"
#include "model/printable.hpp"
#include "model/safetensors_header.hpp"
#include "model/sha256.hpp"
#include "model/tensor_bytes.hpp"

namespace mgproto
{
namespace
{

constexpr std::size_t kLengthBytes = 8;

using NamedEntry = std::pair<const std::string, SafetensorsEntry>;

/// The length of the header, checked against the file.
std::size_t read_header_length(const FileBytes & file)
{
  if (file.size() < kLengthBytes) {
    throw FileError(file.path(), "not a safetensors file: shorter than 8 bytes");
  }
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), kLengthBytes);
  if (length == 0) {
    throw FileError(file.path(), "not a safetensors file: the header length is zero");
  }
  if (length > kMaxHeaderBytes) {
    throw FileError(
      file.path(), "not a safetensors file: the header length of " + std::to_string(length) +
                     " bytes is over the limit of " + std::to_string(kMaxHeaderBytes));
  }
  if (length > file.size() - kLengthBytes) {
    throw FileError(
      file.path(), "truncated: the header length is " + std::to_string(length) +
                     " bytes, but only " + std::to_string(file.size() - kLengthBytes) + " follow");
  }
  return static_cast<std::size_t>(length);
}

/// What is wrong with one tensor that follows `covered` bytes of others; empty if nothing is.
std::string range_problem(
  const SafetensorsEntry & entry, std::uint64_t covered, std::uint64_t section_bytes)
{
  const std::uint64_t begin = entry.offsets[0];
  const std::uint64_t end = entry.offsets[1];
  if (begin > end) {
    return "begins at byte " + std::to_string(begin) + ", after its end at byte " +
           std::to_string(end);
  }
  if (end > section_bytes) {
    return "ends at byte " + std::to_string(end) + ", but the file has only " +
           std::to_string(section_bytes) + " bytes of tensors";
  }
  const std::optional<std::uint64_t> expected = tensor_bytes(*entry.dtype, entry.shape);
  if (!expected) {
    return "the size of its shape overflows";
  }
  if (*expected != end - begin) {
    return "has " + std::to_string(end - begin) + " bytes, but its dtype and shape need " +
           std::to_string(*expected);
  }
  if (begin < covered) {
    return "overlaps the tensor before it";
  }
  if (begin > covered) {
    return "there is a hole of " + std::to_string(begin - covered) + " bytes before it";
  }
  return "";
}

/// Each tensor fits its dtype and shape, and together they cover the data section without overlap
/// or hole.
void check_layout(
  const std::string & path, const std::map<std::string, SafetensorsEntry> & tensors,
  std::uint64_t section_bytes)
{
  std::vector<const NamedEntry *> in_order;
  for (const NamedEntry & tensor : tensors) {
    in_order.push_back(&tensor);
  }
  std::stable_sort(in_order.begin(), in_order.end(), [](const auto * left, const auto * right) {
    return left->second.offsets < right->second.offsets;
  });

  std::uint64_t covered = 0;
  for (const NamedEntry * tensor : in_order) {
    const std::string problem = range_problem(tensor->second, covered, section_bytes);
    if (!problem.empty()) {
      throw FileError(path, about_tensor(tensor->first) + problem);
    }
    covered = tensor->second.offsets[1];
  }
  if (covered < section_bytes) {
    throw FileError(
      path,
      "there are " + std::to_string(section_bytes - covered) + " bytes after the last tensor");
  }
}

}  // namespace

SafetensorsFile SafetensorsFile::open(const std::string & path) { return SafetensorsFile(path); }

SafetensorsFile::SafetensorsFile(const std::string & path) : file_(path)
{
  const std::size_t header_bytes = read_header_length(file_);
  const auto * json = reinterpret_cast<const char *>(file_.data()) + kLengthBytes;
  SafetensorsHeader header = parse_safetensors_header(path, {json, header_bytes});
  data_begin_ = kLengthBytes + header_bytes;
  check_layout(path, header.tensors, file_.size() - data_begin_);

  metadata_ = std::move(header.metadata);
  for (auto & [tensor_name, entry] : header.tensors) {
    const std::byte * data = file_.data() + data_begin_ + entry.offsets[0];
    const auto bytes = static_cast<std::size_t>(entry.offsets[1] - entry.offsets[0]);
    if (reinterpret_cast<std::uintptr_t>(data) % size_of(*entry.dtype) != 0) {
      // new[] aligns for every dtype.
      aligned_copies_.emplace_back(new std::byte[bytes]);
      std::copy_n(data, bytes, aligned_copies_.back().get());
      data = aligned_copies_.back().get();
    }
    tensors_.emplace(tensor_name, TensorView{*entry.dtype, std::move(entry.shape), data, bytes});
  }
}

const TensorView & SafetensorsFile::tensor(const std::string & name) const
{
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) {
    throw FileError(path(), "has no tensor '" + printable(name) + "'");
  }
  return found->second;
}

std::string SafetensorsFile::tensors_sha256() const
{
  return sha256_hex(file_.data() + data_begin_, file_.size() - data_begin_);
}

}  // namespace mgproto
