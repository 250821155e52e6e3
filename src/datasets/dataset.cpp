// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "datasets/dataset.hpp"

#include <filesystem>
#include <unordered_map>
#include <unordered_set>

#include "datasets/layouts.hpp"
#include "mgproto_ros/error.hpp"
#include "model/utf8.hpp"

namespace mgproto
{
namespace
{

namespace fs = std::filesystem;

Dataset open_layout(
  const fs::path & path, const std::string & split, const DatasetOptions & options)
{
  if (fs::is_regular_file(path)) {
    return layout::open_csv(path, split, options);
  }
  if (!fs::is_directory(path)) {
    throw FileError(path.string(), "no such directory or CSV file");
  }
  if (layout::is_cub(path)) {
    return layout::open_cub(path, split, options);
  }
  if (layout::is_cifar(path)) {
    return layout::open_cifar(path, split);
  }
  if (options.labelled && layout::has_split_folders(path)) {
    return layout::open_split_folders(path, split);
  }
  if (const auto csv = layout::find_csv(path)) {
    return layout::open_csv(*csv, split, options);
  }
  if (!options.labelled) {
    return layout::open_flat(path, split);
  }
  if (layout::has_class_folders(path)) {
    return layout::open_class_folders(path);
  }
  throw FileError(
    path.string(),
    "not a data set; looked for images.txt and image_class_labels.txt (CUB-200-2011), "
    "data_batch_*.bin or test_batch.bin (CIFAR-10), train/<class>/ or test/<class>/ folders, "
    "a CSV with the columns path and label, and <class>/ folders with images");
}

const std::string * first_duplicate(const std::vector<std::string> & names)
{
  std::unordered_set<std::string> seen;
  for (const std::string & name : names) {
    if (!seen.insert(name).second) {
      return &name;
    }
  }
  return nullptr;
}

void label_by(const std::vector<std::string> & classes, bool leave_out_others, Dataset & dataset)
{
  std::unordered_map<std::string, std::int64_t> index;
  for (const std::string & name : classes) {
    index.emplace(name, static_cast<std::int64_t>(index.size()));
  }
  std::vector<Sample> kept;
  for (Sample & sample : dataset.samples) {
    const std::string & name = dataset.classes[sample.label];
    const auto found = index.find(name);
    if (found != index.end()) {
      sample.label = found->second;
      kept.push_back(std::move(sample));
    } else if (leave_out_others) {
      ++dataset.left_out[name];
    } else {
      throw FileError(
        dataset.root, "class '" + name + "' of " + sample.name + " is not among the " +
                        std::to_string(classes.size()) + " classes asked for");
    }
  }
  if (kept.empty()) {
    throw FileError(
      dataset.root, "no image is of one of the " + std::to_string(classes.size()) +
                      " classes asked for, such as '" + classes.front() + "'");
  }
  dataset.samples = std::move(kept);
  dataset.classes = classes;
}

/// A checkpoint names them, and is UTF-8.
void check_names(const Dataset & dataset)
{
  for (const std::string & name : dataset.classes) {
    if (!is_utf8(name)) {
      throw FileError(dataset.root, "the name of class '" + terminal_safe(name) + "' is not UTF-8");
    }
  }
  for (const Sample & sample : dataset.samples) {
    if (!is_utf8(sample.name)) {
      throw FileError(
        dataset.root, "the name of image '" + terminal_safe(sample.name) + "' is not UTF-8");
    }
  }
}

void check_for_training(const Dataset & dataset)
{
  const std::vector<std::int64_t> counts = class_counts(dataset);
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] == 0) {
      throw FileError(
        dataset.root,
        "class '" + dataset.classes[c] + "' has no images in split '" + dataset.split + "'");
    }
  }
  if (counts.size() < 2) {
    throw FileError(
      dataset.root,
      "only one class, '" + dataset.classes.front() + "'; training needs two or more");
  }
}

}  // namespace

Dataset open_dataset(
  const std::string & path, const std::string & split, const DatasetOptions & options)
{
  Dataset dataset;
  try {
    dataset = open_layout(path, split, options);
  } catch (const fs::filesystem_error & error) {
    throw FileError(path, "cannot be read: " + error.code().message());
  }

  dataset.root = path;
  if (dataset.samples.empty()) {
    throw FileError(path, "no images in split '" + split + "'");
  }
  if (options.crop_to_boxes && dataset.layout != "cub") {
    throw ConfigError("crop_to_boxes", path + " has no bounding boxes (only CUB-200-2011 has)");
  }
  if (!options.labelled) {
    dataset.classes.clear();
    for (Sample & sample : dataset.samples) {
      sample.label = -1;
    }
    return dataset;
  }
  if (const std::string * name = first_duplicate(dataset.classes)) {
    throw FileError(path, "class '" + *name + "' is named twice");
  }
  if (const std::string * name = first_duplicate(options.classes)) {
    throw ConfigError("classes", "class '" + *name + "' is named twice");
  }
  if (!options.classes.empty()) {
    label_by(options.classes, options.leave_out_others, dataset);
  }
  if (!options.evaluation) {
    check_names(dataset);
    check_for_training(dataset);
  }
  return dataset;
}

std::vector<std::int64_t> class_counts(const Dataset & dataset)
{
  std::vector<std::int64_t> counts(dataset.classes.size(), 0);
  for (const Sample & sample : dataset.samples) {
    if (sample.label >= 0) {
      ++counts.at(sample.label);
    }
  }
  return counts;
}

std::vector<double> class_frequencies(const Dataset & dataset)
{
  const std::vector<std::int64_t> counts = class_counts(dataset);
  std::vector<double> frequencies(counts.begin(), counts.end());
  for (double & frequency : frequencies) {
    frequency /= static_cast<double>(dataset.size());
  }
  return frequencies;
}

std::string display_name(const std::string & class_name)
{
  const std::size_t digits = class_name.find_first_not_of("0123456789");
  const bool numbered = digits != 0 && digits != std::string::npos && class_name[digits] == '.' &&
                        digits + 1 < class_name.size();
  std::string name = numbered ? class_name.substr(digits + 1) : class_name;
  for (char & letter : name) {
    if (letter == '_') {
      letter = ' ';
    }
  }
  return name;
}

}  // namespace mgproto
