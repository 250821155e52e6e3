// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "mgproto_ros/error.hpp"
#include "model/printable.hpp"
#include "model/safetensors.hpp"
#include "model/safetensors_header.hpp"
#include "model/sha256.hpp"
#include "model/tensor_bytes.hpp"

namespace mgproto
{
namespace
{

/// The reference implementation's order in the file: dtypes by descending rank, which puts large
/// elements first and so aligns everything, then by name.
std::vector<const TensorToWrite *> in_file_order(const std::vector<TensorToWrite> & tensors)
{
  const auto rank = [](DType dtype) {
    constexpr DType kAscending[] = {DType::boolean, DType::u8,  DType::i8,  DType::i16, DType::f16,
                                    DType::bf16,    DType::i32, DType::f32, DType::f64, DType::i64};
    return std::find(std::begin(kAscending), std::end(kAscending), dtype) - kAscending;
  };
  std::vector<const TensorToWrite *> ordered;
  for (const TensorToWrite & tensor : tensors) {
    ordered.push_back(&tensor);
  }
  std::sort(ordered.begin(), ordered.end(), [&](const auto * left, const auto * right) {
    return std::make_pair(-rank(left->dtype), std::cref(left->name)) <
           std::make_pair(-rank(right->dtype), std::cref(right->name));
  });
  return ordered;
}

void check_before_writing(const std::string & path, const std::vector<TensorToWrite> & tensors)
{
  std::set<std::string> names;
  for (const TensorToWrite & tensor : tensors) {
    if (tensor.name == kMetadataKey) {
      throw FileError(path, about_tensor(tensor.name) + "the format reserves this name");
    }
    if (!names.insert(tensor.name).second) {
      throw FileError(path, about_tensor(tensor.name) + "given twice");
    }
    if (tensor.shape.size() > kMaxDimensions) {
      throw FileError(path, about_tensor(tensor.name) + "its shape has too many dimensions");
    }
    const std::optional<std::uint64_t> expected = tensor_bytes(tensor.dtype, tensor.shape);
    if (!expected || *expected != tensor.bytes) {
      throw FileError(
        path, about_tensor(tensor.name) + "given " + std::to_string(tensor.bytes) +
                " bytes, which is not the size of its dtype and shape");
    }
  }
}

std::string make_header(
  const std::string & path, const std::vector<const TensorToWrite *> & ordered,
  const std::map<std::string, std::string> & metadata)
{
  // Put together by hand, because a JSON document would sort the tensors by name; the reference
  // implementation lists them as they lie in the file.
  std::string text = "{";
  const auto add = [&](const std::string & key, const nlohmann::ordered_json & value) {
    try {
      text += (text.size() > 1 ? "," : "") + nlohmann::json(key).dump() + ":";
      text += value.dump();
    } catch (const nlohmann::json::type_error &) {
      throw FileError(path, "'" + printable(key) + "' is not UTF-8");
    }
  };
  if (!metadata.empty()) {
    add(kMetadataKey, metadata);
  }
  std::size_t offset = 0;
  for (const TensorToWrite * tensor : ordered) {
    add(
      tensor->name, {{"dtype", name(tensor->dtype)},
                     {"shape", tensor->shape},
                     {"data_offsets", {offset, offset + tensor->bytes}}});
    offset += tensor->bytes;
  }
  text += "}";
  text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the tensors start aligned
  return text;
}

}  // namespace

std::string tensors_sha256(const std::vector<TensorToWrite> & tensors)
{
  Sha256 hash;
  for (const TensorToWrite * tensor : in_file_order(tensors)) {
    hash.update(tensor->data, tensor->bytes);
  }
  return hash.finish_hex();
}

void write_safetensors(
  const std::string & path, const std::vector<TensorToWrite> & tensors,
  const std::map<std::string, std::string> & metadata)
{
  check_before_writing(path, tensors);
  const std::vector<const TensorToWrite *> ordered = in_file_order(tensors);
  const std::string header = make_header(path, ordered, metadata);
  if (header.size() > kMaxHeaderBytes) {
    throw FileError(path, "names and metadata exceed the header limit of the format");
  }

  const std::uint64_t header_length = header.size();
  std::vector<ByteSpan> parts = {
    {&header_length, sizeof(header_length)}, {header.data(), header.size()}};
  for (const TensorToWrite * tensor : ordered) {
    parts.push_back({tensor->data, tensor->bytes});
  }
  write_atomically(path, parts);
}

}  // namespace mgproto
