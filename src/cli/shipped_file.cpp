// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/shipped_file.hpp"

#include <filesystem>

namespace mgproto::cli
{

std::string shipped_file(const std::string & name)
{
  std::error_code ignored;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const auto & place :
       {std::filesystem::path(), folder / "..", folder / "../share/mgproto_ros",
        folder / "../../share/mgproto_ros"}) {
    if (std::filesystem::is_regular_file(place / name, ignored)) {
      return (place / name).lexically_normal().string();
    }
  }
  return "";
}

}  // namespace mgproto::cli
