// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <map>

#include "datasets/layouts.hpp"
#include "datasets/text_file.hpp"

namespace mgproto::layout
{
namespace
{

namespace fs = std::filesystem;

/// A line "<id> <the rest>" of one of CUB's lists.
struct Entry
{
  TextLine line;
  std::int64_t id = 0;
  std::string rest;
};

std::vector<Entry> read_entries(const fs::path & file)
{
  std::vector<Entry> entries;
  for (const TextLine & line : read_lines(file)) {
    const std::size_t space = line.text.find(' ');
    Entry entry{line, 0, space == std::string::npos ? "" : line.text.substr(space + 1)};
    if (entry.rest.empty() || !parse_number(line.text.substr(0, space), entry.id)) {
      throw bad_line(file, line, "expected a number, a space and a value");
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<double> numbers_of(const fs::path & file, const Entry & entry, std::size_t count)
{
  std::vector<double> numbers;
  std::string_view rest = entry.rest;
  bool valid = true;
  while (valid && !rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    double number = 0;
    valid = parse_number(rest.substr(0, end), number) && std::abs(number) < 1e9;  // and not NaN
    numbers.push_back(number);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (!valid || numbers.size() != count) {
    throw bad_line(file, entry.line, "expected " + std::to_string(count + 1) + " numbers");
  }
  return numbers;
}

/// Names listed as "<id> <name>", in the order of their ids.
struct NameList
{
  std::vector<std::string> names;
  std::map<std::int64_t, int> index;  // id -> position in names

  int at(const fs::path & file, const TextLine & line, const char * what, double id) const
  {
    const auto found = index.find(static_cast<std::int64_t>(id));
    if (found == index.end() || id != std::floor(id)) {
      throw bad_line(
        file, line,
        std::string(what) + " " + std::to_string(static_cast<std::int64_t>(id)) +
          " is out of range; " + std::to_string(names.size()) + " are listed");
    }
    return found->second;
  }
};

NameList read_names(const fs::path & file)
{
  std::map<std::int64_t, std::string> by_id;
  for (const Entry & entry : read_entries(file)) {
    if (!by_id.emplace(entry.id, entry.rest).second) {
      throw bad_line(file, entry.line, "number " + std::to_string(entry.id) + " is listed twice");
    }
  }
  NameList list;
  for (const auto & [id, name] : by_id) {
    list.index.emplace(id, static_cast<int>(list.names.size()));
    list.names.push_back(name);
  }
  return list;
}

struct Image
{
  Sample sample;
  bool in_split = true;
  bool has_split = false;
};

/// CUB's images in the order of their ids, filled list by list.
class ImageList
{
public:
  explicit ImageList(const fs::path & dir) : dir_(dir)
  {
    const fs::path file = dir / "images.txt";
    for (const Entry & entry : read_entries(file)) {
      Image image;
      image.sample.name = "images/" + entry.rest;
      image.sample.file = (dir / "images" / entry.rest).string();
      if (!images_.emplace(entry.id, image).second) {
        throw bad_line(file, entry.line, "image " + std::to_string(entry.id) + " is listed twice");
      }
    }
  }

  Image & at(const fs::path & file, const Entry & entry)
  {
    const auto found = images_.find(entry.id);
    if (found == images_.end()) {
      throw bad_line(
        file, entry.line, "image " + std::to_string(entry.id) + " is not in images.txt");
    }
    return found->second;
  }

  void read_labels(const NameList & classes)
  {
    const fs::path file = dir_ / "image_class_labels.txt";
    for (const Entry & entry : read_entries(file)) {
      const double id = numbers_of(file, entry, 1).front();
      at(file, entry).sample.label = classes.at(file, entry.line, "class", id);
    }
    require(file, "label", [](const Image & image) { return image.sample.label >= 0; });
  }

  void read_split(const std::string & split)
  {
    const fs::path file = dir_ / "train_test_split.txt";
    for (const Entry & entry : read_entries(file)) {
      const double train = numbers_of(file, entry, 1).front();
      if (train != 0 && train != 1) {
        throw bad_line(file, entry.line, "expected 1 (train) or 0 (test)");
      }
      Image & image = at(file, entry);
      image.has_split = true;
      image.in_split = (train == 1) == (split == "train");
    }
    require(file, "split", [](const Image & image) { return image.has_split; });
  }

  /// Either as what to crop to, and then every image needs one, or as what is known of the object.
  void read_boxes(std::optional<Box> Sample::*use)
  {
    const fs::path file = dir_ / "bounding_boxes.txt";
    for (const Entry & entry : read_entries(file)) {
      const std::vector<double> box = numbers_of(file, entry, 4);
      const int left = std::max(0, static_cast<int>(std::floor(box[0])));
      const int top = std::max(0, static_cast<int>(std::floor(box[1])));
      const int right = static_cast<int>(std::ceil(box[0] + box[2]));
      const int bottom = static_cast<int>(std::ceil(box[1] + box[3]));
      if (right <= left || bottom <= top) {
        throw bad_line(file, entry.line, "the box is empty");
      }
      at(file, entry).sample.*use = Box{left, top, right - left, bottom - top};
    }
    if (use == &Sample::crop) {
      require(file, "box", [](const Image & image) { return image.sample.crop.has_value(); });
    }
  }

  /// After the boxes: parts are kept in pixels of the crop.
  void read_parts(const NameList & parts)
  {
    const fs::path file = dir_ / "parts" / "part_locs.txt";
    for (const Entry & entry : read_entries(file)) {
      const std::vector<double> values = numbers_of(file, entry, 4);
      const int part = parts.at(file, entry.line, "part", values[0]);
      Sample & sample = at(file, entry).sample;
      const Box crop = sample.crop.value_or(Box{0, 0, 1 << 30, 1 << 30});
      const PartLocation location{part, values[1] - crop.x, values[2] - crop.y};
      const bool inside =
        location.x >= 0 && location.y >= 0 && location.x < crop.width && location.y < crop.height;
      if (values[3] != 0 && inside) {
        sample.parts.push_back(location);
      }
    }
  }

  std::vector<Sample> take_split()
  {
    std::vector<Sample> samples;
    for (auto & [id, image] : images_) {
      if (!image.in_split) {
        continue;
      }
      Sample & sample = image.sample;
      if (!fs::is_regular_file(sample.file)) {
        throw FileError(
          (dir_ / "images.txt").string(),
          "image " + std::to_string(id) + ": no such file: " + sample.file);
      }
      const fs::path mask =
        dir_ / "segmentations" / fs::path(sample.name).lexically_relative("images");
      const std::string mask_file = fs::path(mask).replace_extension(".png").string();
      sample.mask = fs::is_regular_file(mask_file) ? mask_file : "";
      samples.push_back(std::move(sample));
    }
    return samples;
  }

private:
  template <typename Condition>
  void require(const fs::path & file, const char * what, Condition holds) const
  {
    for (const auto & [id, image] : images_) {
      if (!holds(image)) {
        throw FileError(
          file.string(),
          std::string("no ") + what + " for image " + std::to_string(id) + " of images.txt");
      }
    }
  }

  fs::path dir_;
  std::map<std::int64_t, Image> images_;
};

}  // namespace

bool is_cub(const fs::path & dir)
{
  return fs::is_regular_file(dir / "images.txt") &&
         fs::is_regular_file(dir / "image_class_labels.txt");
}

Dataset open_cub(const fs::path & dir, const std::string & split, const DatasetOptions & options)
{
  if (split != "train" && split != "test" && split != "all") {
    throw FileError(dir.string(), "CUB-200-2011 has no split '" + split + "', only train and test");
  }
  const NameList classes = read_names(dir / "classes.txt");
  ImageList images(dir);
  images.read_labels(classes);
  if (split != "all") {
    images.read_split(split);
  }
  if (options.crop_to_boxes) {
    images.read_boxes(&Sample::crop);
  } else if (fs::is_regular_file(dir / "bounding_boxes.txt")) {
    images.read_boxes(&Sample::box);
  }

  Dataset dataset;
  dataset.layout = "cub";
  dataset.split = split;
  dataset.classes = classes.names;
  if (fs::is_regular_file(dir / "parts" / "part_locs.txt")) {
    const NameList parts = read_names(dir / "parts" / "parts.txt");
    images.read_parts(parts);
    dataset.part_names = parts.names;
  }
  dataset.samples = images.take_split();
  return dataset;
}

}  // namespace mgproto::layout
