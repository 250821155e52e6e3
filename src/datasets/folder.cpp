// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cctype>

#include "datasets/layouts.hpp"
#include "mgproto_ros/error.hpp"

namespace mgproto::layout
{
namespace
{

namespace fs = std::filesystem;

/// Editors, file managers and notebooks leave hidden files beside the images.
bool is_hidden(const fs::path & path) { return path.filename().string().front() == '.'; }

bool is_image(const fs::path & path)
{
  static const char * const kExtensions[] = {".jpg", ".jpeg", ".png",  ".bmp", ".ppm",
                                             ".pgm", ".webp", ".tiff", ".tif"};
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return std::find(std::begin(kExtensions), std::end(kExtensions), extension) !=
         std::end(kExtensions);
}

/// All images below `dir`, sorted byte by byte.
std::vector<std::string> images_below(const fs::path & dir)
{
  std::vector<std::string> images;
  for (auto it = fs::recursive_directory_iterator(dir); it != fs::end(it); ++it) {
    if (is_hidden(it->path())) {
      it.disable_recursion_pending();
    } else if (it->is_regular_file() && is_image(it->path())) {
      images.push_back(it->path().string());
    }
  }
  std::sort(images.begin(), images.end());
  return images;
}

std::vector<std::string> folders_in(const fs::path & dir)
{
  std::vector<std::string> folders;
  for (const fs::directory_entry & entry : fs::directory_iterator(dir)) {
    if (entry.is_directory() && !is_hidden(entry.path())) {
      folders.push_back(entry.path().filename().string());
    }
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

void add(
  const std::vector<std::string> & images, const fs::path & root, std::int64_t label,
  Dataset & dataset)
{
  for (const std::string & image : images) {
    Sample sample;
    sample.name = fs::path(image).lexically_relative(root).generic_string();
    sample.file = image;
    sample.label = label;
    dataset.samples.push_back(sample);
  }
}

/// Adds the class folders in `dir`; their names must be among the data set's classes.
void add_classes(const fs::path & dir, const fs::path & root, Dataset & dataset)
{
  for (const std::string & name : folders_in(dir)) {
    const auto found = std::lower_bound(dataset.classes.begin(), dataset.classes.end(), name);
    if (found == dataset.classes.end() || *found != name) {
      throw FileError(
        (dir / name).string(), "this class has no folder in " + (root / "train").string());
    }
    const std::vector<std::string> images = images_below(dir / name);
    if (images.empty()) {
      throw FileError((dir / name).string(), "class '" + name + "' has no images");
    }
    add(images, root, found - dataset.classes.begin(), dataset);
  }
}

/// A split holds class folders. A folder of images called "train" may be a class of vehicles.
bool is_split_folder(const fs::path & dir)
{
  return fs::is_directory(dir) && !folders_in(dir).empty();
}

}  // namespace

bool has_split_folders(const fs::path & dir)
{
  return is_split_folder(dir / "train") || is_split_folder(dir / "test");
}

Dataset open_split_folders(const fs::path & dir, const std::string & split)
{
  std::vector<std::string> splits;
  for (const std::string & name : folders_in(dir)) {
    if (is_split_folder(dir / name) && (split == "all" || split == name)) {
      splits.push_back(name);
    }
  }
  if (splits.empty()) {
    throw FileError((dir / split).string(), "no such split: expected a folder of class folders");
  }

  Dataset dataset;
  dataset.layout = "split folders";
  dataset.split = split;
  dataset.classes = folders_in(dir / (is_split_folder(dir / "train") ? "train" : splits.front()));
  for (const std::string & name : splits) {
    add_classes(dir / name, dir, dataset);
  }
  return dataset;
}

bool has_class_folders(const fs::path & dir)
{
  const std::vector<std::string> folders = folders_in(dir);
  return std::any_of(folders.begin(), folders.end(), [&dir](const std::string & name) {
    return !images_below(dir / name).empty();
  });
}

Dataset open_class_folders(const fs::path & dir)
{
  Dataset dataset;
  dataset.layout = "folders";
  dataset.split = "all";
  dataset.classes = folders_in(dir);
  add_classes(dir, dir, dataset);
  return dataset;
}

Dataset open_flat(const fs::path & dir, const std::string & split)
{
  const bool has_split = !split.empty() && fs::is_directory(dir / split);
  Dataset dataset;
  dataset.layout = "flat";
  dataset.split = has_split ? split : "all";
  add(images_below(has_split ? dir / split : dir), dir, -1, dataset);
  return dataset;
}

}  // namespace mgproto::layout
