// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/torch_file.hpp"

#include <string_view>

#include "mgproto_ros/error.hpp"
#include "model/file_io.hpp"
#include "model/torch_legacy.hpp"
#include "model/torch_zip.hpp"

namespace mgproto
{

std::vector<TorchTensor> read_torch_file(const std::string & path)
{
  const FileBytes bytes(path);
  const std::string_view file(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  if (file.substr(0, 4) == "PK\x03\x04") {
    return read_torch_zip(path, file);
  }
  if (is_torch_legacy(file)) {
    return read_torch_legacy(path, file);
  }
  constexpr std::size_t kTarMagicAt = 257;
  if (file.size() > kTarMagicAt && file.substr(kTarMagicAt, 5) == "ustar") {
    throw FileError(
      path, "is a tar archive, as PyTorch before 0.2 wrote them: save it again with a newer one");
  }
  throw FileError(
    path, "is not a file that torch.save wrote: neither a zip archive nor its stream");
}

}  // namespace mgproto
