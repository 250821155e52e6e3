// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/torch_storage.hpp"

#include <cstring>

#include "mgproto_ros/error.hpp"
#include "model/printable.hpp"
#include "model/tensor_bytes.hpp"
#include "model/torch_globals.hpp"

namespace mgproto
{

using pickle::Index;
using pickle::Kind;
using pickle::Value;

TorchStorage storage_of(
  const std::string & path, const pickle::Pickle & pickle, const Value & persistent)
{
  // ('storage', type, key, location, numel[, view])
  const Value & tuple = pickle[persistent.items[0]];
  const std::vector<Index> & id = tuple.items;
  const bool is_storage = tuple.kind == Kind::tuple && (id.size() == 5 || id.size() == 6) &&
                          pickle[id[0]].kind == Kind::text && pickle[id[0]].text == "storage" &&
                          pickle[id[1]].kind == Kind::global &&
                          storage_dtype(pickle[id[1]].text).has_value() &&
                          pickle[id[2]].kind == Kind::text && pickle[id[4]].kind == Kind::integer &&
                          pickle[id[4]].integer >= 0;
  if (!is_storage) {
    throw FileError(path, "expected a persistent id to be that of a storage");
  }
  const std::string_view key = pickle[id[2]].text;
  if (id.size() == 6 && pickle[id[5]].kind != Kind::none) {
    throw FileError(
      path, "storage " + printable(key) +
              " is a view, as PyTorch before 0.4 wrote them: save the file again with a newer one");
  }
  return {key, *storage_dtype(pickle[id[1]].text), pickle[id[4]].integer};
}

std::size_t storage_length(
  const std::string & path, const TorchStorage & storage, std::size_t available)
{
  const std::optional<std::uint64_t> length = tensor_bytes(storage.dtype, {storage.numel});
  if (!length || *length > available) {
    throw FileError(
      path, "storage " + printable(storage.key) + ": expected " + std::to_string(storage.numel) +
              " elements of type " + name(storage.dtype) + ", got " + std::to_string(available) +
              " bytes");
  }
  return *length;
}

std::optional<std::uint64_t> view_bytes(const TorchStorage & storage, const StorageView & view)
{
  const std::optional<std::uint64_t> bytes = tensor_bytes(storage.dtype, view.shape);
  if (!bytes || *bytes == 0) {
    return bytes;  // without elements there is nothing to reach for
  }
  std::int64_t last = view.offset;
  bool overflow = false;
  for (std::size_t d = 0; d < view.shape.size(); ++d) {
    std::int64_t reach = 0;
    overflow |= __builtin_mul_overflow(view.shape[d] - 1, view.strides[d], &reach);
    overflow |= __builtin_add_overflow(last, reach, &last);
  }
  return overflow || last >= storage.numel ? std::nullopt : bytes;
}

std::vector<std::byte> copy_view(
  std::string_view storage_bytes, const TorchStorage & storage, const StorageView & view)
{
  std::vector<std::byte> target(*tensor_bytes(storage.dtype, view.shape));
  // The dimensions that matter, innermost first.
  struct Dimension
  {
    std::int64_t size, stride, at;
  };
  std::vector<Dimension> dimensions;
  std::int64_t dense_stride = 1;
  bool dense = true;
  for (std::size_t d = view.shape.size(); d-- > 0;) {
    if (view.shape[d] > 1) {
      dimensions.push_back({view.shape[d], view.strides[d], 0});
      dense &= view.strides[d] == dense_stride;
      dense_stride *= view.shape[d];
    }
  }
  const std::size_t element = size_of(storage.dtype);
  auto from = static_cast<std::size_t>(view.offset) * element;
  if (dense) {
    std::memcpy(target.data(), storage_bytes.data() + from, target.size());
    return target;
  }
  for (std::size_t to = 0; to < target.size(); to += element) {
    std::memcpy(&target[to], storage_bytes.data() + from, element);
    for (Dimension & dimension : dimensions) {
      from += static_cast<std::size_t>(dimension.stride) * element;
      if (++dimension.at < dimension.size) {
        break;
      }
      from -= static_cast<std::size_t>(dimension.stride * dimension.size) * element;
      dimension.at = 0;
    }
  }
  return target;
}

}  // namespace mgproto
