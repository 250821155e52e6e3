// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CLI__NAMED_FOLDERS_HPP_
#define CLI__NAMED_FOLDERS_HPP_

#include <map>
#include <string>
#include <vector>

#include "mgproto_ros/error.hpp"

namespace mgproto::cli
{

/// The values NAME=DIR of `--ood` by name. Throws ConfigError if one is malformed or named twice.
inline std::map<std::string, std::string> named_folders(const std::vector<std::string> & options)
{
  std::map<std::string, std::string> folders;
  for (const std::string & option : options) {
    const std::size_t sign = option.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == option.size()) {
      throw ConfigError("--ood", "'" + option + "' is not NAME=DIR");
    }
    if (!folders.emplace(option.substr(0, sign), option.substr(sign + 1)).second) {
      throw ConfigError("--ood", option.substr(0, sign) + " is named twice");
    }
  }
  return folders;
}

}  // namespace mgproto::cli

#endif  // CLI__NAMED_FOLDERS_HPP_
