// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TEMPORARY_DIRECTORY_HPP_
#define TEMPORARY_DIRECTORY_HPP_

#include <cstdlib>
#include <filesystem>
#include <string>

namespace mgproto::test
{

/// A fresh directory that is gone with this object.
class TemporaryDirectory
{
public:
  TemporaryDirectory()
  {
    std::string name = (std::filesystem::temp_directory_path() / "mgproto_test_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  TemporaryDirectory & operator=(const TemporaryDirectory &) = delete;

  std::string operator/(const std::string & name) const { return path_ + "/" + name; }

private:
  std::string path_;
};

}  // namespace mgproto::test

#endif  // TEMPORARY_DIRECTORY_HPP_
