// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__TORCH_ZIP_HPP_
#define MODEL__TORCH_ZIP_HPP_

#include <string>
#include <string_view>
#include <vector>

#include "model/torch_file.hpp"

namespace mgproto
{

/// Reads the zip archive that torch.save writes since PyTorch 1.6. Throws FileError.
std::vector<TorchTensor> read_torch_zip(const std::string & path, std::string_view file);

}  // namespace mgproto

#endif  // MODEL__TORCH_ZIP_HPP_
