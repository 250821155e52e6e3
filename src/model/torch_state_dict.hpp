// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__TORCH_STATE_DICT_HPP_
#define MODEL__TORCH_STATE_DICT_HPP_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/pickle.hpp"
#include "model/torch_file.hpp"
#include "model/torch_storage.hpp"

namespace mgproto
{

/// The bytes that the container holds for a storage, however many. Throws FileError if none.
using StorageBytes = std::function<std::string_view(const TorchStorage & storage)>;

/// The tensors in the pickled dict, in its order and by the rules of read_torch_file(). They add up
/// to a few times `file_size` at most. Throws FileError.
std::vector<TorchTensor> read_state_dict(
  const std::string & path, const pickle::Pickle & pickle, std::uint64_t file_size,
  const StorageBytes & storage_bytes);

}  // namespace mgproto

#endif  // MODEL__TORCH_STATE_DICT_HPP_
