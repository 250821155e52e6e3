// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CLI__IMAGE_FILES_HPP_
#define CLI__IMAGE_FILES_HPP_

#include <filesystem>
#include <string>
#include <vector>

#include "datasets/dataset.hpp"

namespace mgproto::cli
{

/// Folders are taken for the images below them.
inline std::vector<std::string> image_files(const std::vector<std::string> & paths)
{
  std::vector<std::string> files;
  for (const std::string & path : paths) {
    if (!std::filesystem::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    DatasetOptions flat;
    flat.labelled = false;
    for (const Sample & sample : open_dataset(path, "all", flat).samples) {
      files.push_back(sample.file);
    }
  }
  return files;
}

}  // namespace mgproto::cli

#endif  // CLI__IMAGE_FILES_HPP_
