// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DATASETS__LAYOUTS_HPP_
#define DATASETS__LAYOUTS_HPP_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "datasets/dataset.hpp"

/// The layouts behind open_dataset(). Each opener fills classes and samples and checks what only it
/// can know; open_dataset() checks the rest.
namespace mgproto::layout
{

bool is_cub(const std::filesystem::path & dir);
Dataset open_cub(
  const std::filesystem::path & dir, const std::string & split, const DatasetOptions & options);

bool is_cifar(const std::filesystem::path & dir);
Dataset open_cifar(const std::filesystem::path & dir, const std::string & split);

/// The CSV in `dir` with the columns of a data set; throws FileError if there are several.
std::optional<std::filesystem::path> find_csv(const std::filesystem::path & dir);
Dataset open_csv(
  const std::filesystem::path & file, const std::string & split, const DatasetOptions & options);

bool has_split_folders(const std::filesystem::path & dir);
Dataset open_split_folders(const std::filesystem::path & dir, const std::string & split);

bool has_class_folders(const std::filesystem::path & dir);
Dataset open_class_folders(const std::filesystem::path & dir);

Dataset open_flat(const std::filesystem::path & dir, const std::string & split);

}  // namespace mgproto::layout

#endif  // DATASETS__LAYOUTS_HPP_
