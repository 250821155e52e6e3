// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__TORCH_LEGACY_HPP_
#define MODEL__TORCH_LEGACY_HPP_

#include <string>
#include <string_view>
#include <vector>

#include "model/torch_file.hpp"

namespace mgproto
{

/// Whether the file starts like the stream that torch.save wrote before PyTorch 1.6.
bool is_torch_legacy(std::string_view file);

/// Reads that stream: five pickles, and behind them the storages. Throws FileError.
std::vector<TorchTensor> read_torch_legacy(const std::string & path, std::string_view file);

}  // namespace mgproto

#endif  // MODEL__TORCH_LEGACY_HPP_
