// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CLI__SHIPPED_FILE_HPP_
#define CLI__SHIPPED_FILE_HPP_

#include <string>

namespace mgproto::cli
{

/// The path of a file that comes with the package (config/...): in the sources, if they are the
/// working directory or the build lies in them, or where it is installed. Empty if it is nowhere.
std::string shipped_file(const std::string & name);

}  // namespace mgproto::cli

#endif  // CLI__SHIPPED_FILE_HPP_
