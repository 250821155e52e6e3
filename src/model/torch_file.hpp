// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__TORCH_FILE_HPP_
#define MODEL__TORCH_FILE_HPP_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/dtype.hpp"

namespace mgproto
{

struct TorchTensor
{
  std::string name;
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> data;  ///< contiguous, row major, little-endian
};

/// Reads the tensors of a file that torch.save wrote, zip archive or legacy stream, in file order.
/// The file holds a dict of tensors, possibly nested (names are joined by '.'); of a checkpoint
/// with an entry "state_dict", "model_state_dict" or "model" only that entry is read. Entries that
/// are neither tensors nor dicts are skipped. Views and shared storages become separate tensors.
/// Runs no code from the file and needs memory in proportion to its size, whatever is in it.
/// Throws FileError.
std::vector<TorchTensor> read_torch_file(const std::string & path);

}  // namespace mgproto

#endif  // MODEL__TORCH_FILE_HPP_
