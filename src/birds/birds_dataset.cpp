// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "birds/birds_dataset.hpp"

#include <filesystem>
#include <fstream>
#include <iomanip>
#include <locale>
#include <set>
#include <vector>

#include "birds/ood_subjects.hpp"
#include "birds/picture.hpp"
#include "datasets/drawn_files.hpp"
#include "mgproto_ros/error.hpp"

namespace fs = std::filesystem;

namespace mgproto::birds
{
namespace
{

/// Part of every picture's random key: changing a number changes the data set.
enum class Split : std::uint64_t
{
  Birds,
  Calibration,
  Unseen,
  Vehicles,
  Textures
};

struct Item
{
  Split split;
  int row;  ///< species, or kind of vehicle or texture
  int index;
  std::string path;  ///< below the folder of its split
};

std::string class_folder(int row)
{
  return numbered(row + 1, 3) + "." + seen_species()[static_cast<std::size_t>(row)].name;
}

std::string file_name(const std::string & name, int index)
{
  return name + "_" + numbered(index + 1, 4) + ".png";
}

int divided_up(int total, int parts) { return (total + parts - 1) / parts; }

/// Every picture of the data set, the birds first and in the order of their ids.
std::vector<Item> list_items(const Options & options)
{
  std::vector<Item> items;
  for (int row = 0; row < options.classes; ++row) {
    for (int i = 0; i < options.per_class; ++i) {
      const std::string name = seen_species()[static_cast<std::size_t>(row)].name;
      items.push_back({Split::Birds, row, i, class_folder(row) + "/" + file_name(name, i)});
    }
  }
  for (int row = 0; row < options.classes; ++row) {
    for (int i = 0; i < divided_up(options.calibration, options.classes); ++i) {
      const std::string name = seen_species()[static_cast<std::size_t>(row)].name;
      items.push_back({Split::Calibration, row, i, class_folder(row) + "/" + file_name(name, i)});
    }
  }
  const int unseen = static_cast<int>(unseen_species().size());
  for (int row = 0; row < unseen; ++row) {
    for (int i = 0; i < divided_up(options.ood, unseen); ++i) {
      const std::string name = unseen_species()[static_cast<std::size_t>(row)].name;
      items.push_back({Split::Unseen, row, i, name + "/" + file_name(name, i)});
    }
  }
  const auto add_kinds = [&](Split split, const std::vector<std::string> & kinds) {
    const int count = static_cast<int>(kinds.size());
    for (int row = 0; row < count; ++row) {
      for (int i = 0; i < divided_up(options.ood, count); ++i) {
        items.push_back({split, row, i, file_name(kinds[static_cast<std::size_t>(row)], i)});
      }
    }
  };
  add_kinds(Split::Vehicles, vehicle_kinds());
  add_kinds(Split::Textures, texture_kinds());
  return items;
}

fs::path image_folder(const fs::path & dir, Split split)
{
  switch (split) {
    case Split::Birds:
      return dir / "birds" / "images";
    case Split::Calibration:
      return dir / "calibration";
    case Split::Unseen:
      return dir / "ood" / "unseen_species";
    case Split::Vehicles:
      return dir / "ood" / "vehicles";
    case Split::Textures:
      return dir / "ood" / "textures";
  }
  throw Error("unknown split of the data set");
}

/// Draws and writes one picture. Only birds are annotated, so the others return empty.
Picture write_item(const fs::path & dir, const Item & item, const Options & options)
{
  Random random(
    {options.seed, static_cast<std::uint64_t>(item.split), static_cast<std::uint64_t>(item.row),
     static_cast<std::uint64_t>(item.index)});
  const fs::path path = image_folder(dir, item.split) / item.path;
  if (item.split == Split::Birds) {
    const Species & species = seen_species()[static_cast<std::size_t>(item.row)];
    Picture picture = draw_bird(species, options.size, random);
    write_png(path, picture.image);
    write_png(dir / "birds" / "segmentations" / item.path, picture.mask);
    picture.image.release();
    picture.mask.release();
    return picture;
  }
  const SceneKind kind = item.split == Split::Calibration ? SceneKind::SeenBird
                         : item.split == Split::Unseen    ? SceneKind::UnseenBird
                         : item.split == Split::Vehicles  ? SceneKind::Vehicle
                                                          : SceneKind::Texture;
  write_png(path, draw_scene(kind, item.row, options.size, options.size, random));
  return {};
}

/// A text file that is complete when close() returns.
class TextFile
{
public:
  explicit TextFile(const fs::path & path) : path_(path.string()), stream_(path)
  {
    stream_.imbue(std::locale::classic());
    stream_ << std::fixed << std::setprecision(1);
  }
  std::ostream & line() { return stream_; }
  void close()
  {
    stream_.close();
    if (!stream_) {
      throw FileError(path_, "cannot be written");
    }
  }

private:
  std::string path_;
  std::ofstream stream_;
};

void write_class_lists(const fs::path & birds, const Options & options)
{
  TextFile classes(birds / "classes.txt"), parts(birds / "parts" / "parts.txt");
  for (int row = 0; row < options.classes; ++row) {
    classes.line() << row + 1 << ' ' << class_folder(row) << '\n';
  }
  for (std::size_t part = 0; part < kPartCount; ++part) {
    parts.line() << part + 1 << ' ' << kPartNames[part] << '\n';
  }
  classes.close();
  parts.close();
}

void write_annotations(
  const fs::path & birds, const std::vector<Item> & items, const std::vector<Picture> & pictures)
{
  TextFile images(birds / "images.txt"), labels(birds / "image_class_labels.txt");
  TextFile split(birds / "train_test_split.txt"), boxes(birds / "bounding_boxes.txt");
  TextFile locations(birds / "parts" / "part_locs.txt");
  for (std::size_t i = 0; i < items.size() && items[i].split == Split::Birds; ++i) {
    const std::size_t id = i + 1;
    const cv::Rect2d box(pictures[i].box);
    images.line() << id << ' ' << items[i].path << '\n';
    labels.line() << id << ' ' << items[i].row + 1 << '\n';
    split.line() << id << ' ' << (items[i].index % 2 == 0 ? 1 : 0) << '\n';
    boxes.line() << id << ' ' << box.x << ' ' << box.y << ' ' << box.width << ' ' << box.height
                 << '\n';
    for (std::size_t part = 0; part < kPartCount; ++part) {
      // Like CUB-200-2011: a part that cannot be seen is at 0 0.
      const Picture::Part & at = pictures[i].parts[part];
      locations.line() << id << ' ' << part + 1 << ' ' << (at.visible ? at.x : 0.0) << ' '
                       << (at.visible ? at.y : 0.0) << ' ' << (at.visible ? 1 : 0) << '\n';
    }
  }
  for (TextFile * file : {&images, &labels, &split, &boxes, &locations}) {
    file->close();
  }
}

}  // namespace

void write_dataset(
  const std::string & dir, const Options & options, const DrawingProgress & progress)
{
  check_range(
    "classes", options.classes, 1, static_cast<int>(seen_species().size()),
    " (that many species are known)");
  check_range("per_class", options.per_class, 2, 9999);
  check_range("size", options.size, 16, 4096);
  check_range("calibration", options.calibration, 0, 99999);
  check_range("ood", options.ood, 0, 99999);

  const std::vector<Item> items = list_items(options);
  std::set<fs::path> folders = {fs::path(dir) / "birds" / "parts"};
  for (const Item & item : items) {
    folders.insert((image_folder(dir, item.split) / item.path).parent_path());
    if (item.split == Split::Birds) {
      folders.insert((fs::path(dir) / "birds" / "segmentations" / item.path).parent_path());
    }
  }
  make_new_folders(dir, folders);

  std::vector<Picture> pictures(items.size());
  draw_on_all_cores(
    items.size(), [&](std::size_t i) { pictures[i] = write_item(dir, items[i], options); },
    progress);
  write_class_lists(fs::path(dir) / "birds", options);
  write_annotations(fs::path(dir) / "birds", items, pictures);
}

}  // namespace mgproto::birds
