// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__TORCH_STORAGE_HPP_
#define MODEL__TORCH_STORAGE_HPP_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/dtype.hpp"
#include "model/pickle.hpp"

namespace mgproto
{

/// The memory that one or more tensors share, as a tensor refers to it. The key points into the
/// pickle.
struct TorchStorage
{
  std::string_view key;
  DType dtype;
  std::int64_t numel;
};

/// Reads the storage that a persistent id describes. Throws FileError.
TorchStorage storage_of(
  const std::string & path, const pickle::Pickle & pickle, const pickle::Value & persistent);

/// The bytes that the storage takes. Throws FileError if there are fewer.
std::size_t storage_length(
  const std::string & path, const TorchStorage & storage, std::size_t available);

/// The elements of a storage that make up a tensor, in elements and none of it negative; as many
/// strides as sizes.
struct StorageView
{
  std::int64_t offset;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
};

/// The bytes of a contiguous copy; nothing if the view reaches beyond its storage.
std::optional<std::uint64_t> view_bytes(const TorchStorage & storage, const StorageView & view);

/// A contiguous copy of a view that lies inside the storage with these bytes.
std::vector<std::byte> copy_view(
  std::string_view storage_bytes, const TorchStorage & storage, const StorageView & view);

}  // namespace mgproto

#endif  // MODEL__TORCH_STORAGE_HPP_
