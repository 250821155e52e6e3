// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/image_list.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "mgproto_ros/error.hpp"
#include "model/file_io.hpp"
#include "model/printable.hpp"
#include "model/sha256.hpp"

namespace mgproto
{
namespace
{

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char * kTrain = "train";
constexpr const char * kCalibration = "calibration";
constexpr const char * kTest = "test";

std::string path_of(const std::string & directory) { return directory + "/images.json"; }

/// All sets of a training by name.
std::map<std::string, const Dataset *> sets_of(const TrainingData & data)
{
  std::map<std::string, const Dataset *> sets{
    {kTrain, &data.train}, {kCalibration, &data.calibration}, {kTest, &data.test}};
  for (const auto & [name, dataset] : data.ood) {
    sets["ood " + name] = &dataset;
  }
  return sets;
}

std::string name_of(const Sample & sample)
{
  return sample.record < 0 ? sample.name : sample.name + " #" + std::to_string(sample.record);
}

std::string class_of(const Dataset & dataset, const Sample & sample)
{
  return sample.label < 0 ? "" : dataset.classes.at(sample.label);
}

std::int64_t bytes_of(const std::string & file)
{
  std::error_code error;
  const auto bytes = fs::file_size(file, error);
  return error ? -1 : static_cast<std::int64_t>(bytes);
}

/// Empty if it cannot be read, which whoever needs the image will say.
std::string hash_of(const std::string & file)
{
  try {
    const FileBytes bytes(file);
    return sha256_hex(bytes.data(), bytes.size());
  } catch (const FileError &) {
    return "";
  }
}

/// Names of images of one kind, told by their number and the first one.
class Named
{
public:
  void add(const std::string & name)
  {
    if (count_++ == 0) {
      first_ = printable(name);
    }
  }
  /// "3 images are gone (a.jpg, ...)"; nothing if there are none.
  void tell(std::vector<std::string> & parts, const std::string & what) const
  {
    if (count_ > 0) {
      parts.push_back(
        std::to_string(count_) + (count_ == 1 ? " image " : " images ") + what + " (" + first_ +
        (count_ > 1 ? ", ..." : "") + ")");
    }
  }

private:
  std::int64_t count_ = 0;
  std::string first_;
};

std::string joined(const std::vector<std::string> & parts)
{
  std::string text;
  for (const std::string & part : parts) {
    text += (text.empty() ? "" : "; ") + part;
  }
  return text;
}

/// An image that is a file of its own, and the set that it is in.
struct Placed
{
  const Sample * sample;
  std::string set;
  std::string class_name;
};

/// Splits what seems to be one image by what tells it apart; of what is left alone nothing is kept.
std::vector<std::vector<Placed>> told_apart_by(
  const std::function<std::string(const Sample &)> & mark,
  const std::vector<std::vector<Placed>> & alike)
{
  std::vector<std::vector<Placed>> result;
  for (const auto & group : alike) {
    std::map<std::string, std::vector<Placed>> by_mark;
    for (const Placed & one : group) {
      by_mark[mark(*one.sample)].push_back(one);
    }
    for (auto & [text, same] : by_mark) {
      if (same.size() > 1 && !text.empty()) {
        result.push_back(std::move(same));
      }
    }
  }
  return result;
}

std::string hash_of_beginning(const Sample & sample)
{
  std::string beginning(1 << 14, '\0');
  std::ifstream file(sample.file, std::ios::binary);
  file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<std::size_t>(file.gcount()));
  return beginning.empty() ? "" : sha256_hex(beginning.data(), beginning.size());
}

}  // namespace

ImageList::ImageList(const TrainingData & data)
{
  for (const auto & [name, dataset] : sets_of(data)) {
    sets_[name] = listed(*dataset);
  }
}

ImageList::Set ImageList::listed(const Dataset & dataset)
{
  Set set;
  std::map<std::string, std::string> read;  // files of many records only once
  const std::int64_t every = (dataset.size() + kMostRead - 1) / kMostRead;
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    const Sample & sample = dataset.samples[i];
    Image image{class_of(dataset, sample), bytes_of(sample.file), ""};
    if (i % every == 0 && !sample.file.empty()) {
      const auto [position, is_new] = read.try_emplace(sample.file);
      if (is_new) {
        position->second = hash_of(sample.file);
      }
      image.sha256 = position->second;
    }
    set[name_of(sample)] = image;
  }
  return set;
}

std::optional<ImageList> ImageList::read(const std::string & directory)
{
  const std::string path = path_of(directory);
  if (!fs::exists(path)) {
    return std::nullopt;
  }
  const FileBytes bytes(path);
  const auto * text = reinterpret_cast<const char *>(bytes.data());
  ImageList list;
  try {
    const json sets = json::parse(text, text + bytes.size());
    for (const auto & [name, images] : sets.items()) {
      Set & set = list.sets_[name];
      for (const auto & [image, about] : images.items()) {
        set[image] = {about.at(0), about.at(1), about.at(2)};
      }
    }
  } catch (const json::exception &) {
    throw FileError(path, "is not a list of a training's images");
  }
  return list;
}

void ImageList::write(const std::string & directory) const
{
  json sets = json::object();
  for (const auto & [name, images] : sets_) {
    json & set = sets[name] = json::object();
    for (const auto & [image, about] : images) {
      set[image] = {about.class_name, about.bytes, about.sha256};
    }
  }
  const std::string text = sets.dump(0, ' ', false, json::error_handler_t::replace);
  write_atomically(path_of(directory), {{text.data(), text.size()}});
}

std::string ImageList::difference(const ImageList & now) const
{
  std::vector<std::string> parts;
  std::set<std::string> names;
  for (const ImageList * list : {this, &now}) {
    for (const auto & entry : list->sets_) {
      names.insert(entry.first);
    }
  }
  const Set none;
  const auto images_of = [&none](const ImageList & list, const std::string & set) -> const Set & {
    const auto found = list.sets_.find(set);
    return found == list.sets_.end() ? none : found->second;
  };
  for (const std::string & set : names) {
    const Set & before = images_of(*this, set);
    const Set & after = images_of(now, set);
    Named gone;
    Named added;
    Named relabelled;
    Named changed;
    std::map<std::string, Named> moved;  // by where to
    for (const auto & [name, was] : before) {
      const auto found = after.find(name);
      if (found != after.end()) {
        const Image & is = found->second;
        const bool both_read = !was.sha256.empty() && !is.sha256.empty();
        if (was.class_name != is.class_name) {
          relabelled.add(name);
        } else if (was.bytes != is.bytes || (both_read && was.sha256 != is.sha256)) {
          changed.add(name);
        }
        continue;
      }
      const auto other = std::find_if(names.begin(), names.end(), [&](const std::string & where) {
        return images_of(now, where).count(name) > 0;
      });
      (other == names.end() ? gone : moved[*other]).add(name);
    }
    for (const auto & entry : after) {
      const bool was_elsewhere = std::any_of(
        names.begin(), names.end(),
        [&](const std::string & where) { return images_of(*this, where).count(entry.first) > 0; });
      if (!was_elsewhere) {
        added.add(entry.first);
      }
    }
    gone.tell(parts, "of " + set + " gone");
    added.tell(parts, "new in " + set);
    for (const auto & [where, these] : moved) {
      these.tell(parts, "of " + set + " now in " + where);
    }
    relabelled.tell(parts, "of " + set + " of another class");
    changed.tell(parts, "of " + set + " changed");
  }
  return joined(parts);
}

std::vector<std::string> doubtful_images(const TrainingData & data)
{
  std::map<std::int64_t, std::vector<Placed>> by_size;
  for (const auto & [set, dataset] : sets_of(data)) {
    for (const Sample & sample : dataset->samples) {
      if (sample.record < 0 && !sample.crop && !sample.file.empty()) {
        by_size[bytes_of(sample.file)].push_back({&sample, set, class_of(*dataset, sample)});
      }
    }
  }
  std::vector<std::vector<Placed>> alike;
  for (auto & [bytes, images] : by_size) {
    if (images.size() > 1) {
      alike.push_back(std::move(images));
    }
  }
  alike = told_apart_by(hash_of_beginning, alike);
  alike = told_apart_by([](const Sample & sample) { return hash_of(sample.file); }, alike);

  std::map<std::string, Named> in_train_and;  // another set
  Named of_two_classes;
  for (const auto & same : alike) {
    const auto in_train =
      std::find_if(same.begin(), same.end(), [](const Placed & one) { return one.set == kTrain; });
    const Placed * first_labelled = nullptr;
    for (const Placed & one : same) {
      if (in_train != same.end() && one.set != kTrain) {
        in_train_and[one.set].add(in_train->sample->name + " = " + one.sample->name);
      }
      if (one.class_name.empty()) {
        continue;
      }
      if (first_labelled != nullptr && first_labelled->class_name != one.class_name) {
        of_two_classes.add(first_labelled->sample->name + " = " + one.sample->name);
      }
      first_labelled = first_labelled == nullptr ? &one : first_labelled;
    }
  }
  std::vector<std::string> lines;
  for (const auto & [set, these] : in_train_and) {
    these.tell(lines, "of train also in " + set);
  }
  of_two_classes.tell(lines, "in two classes");
  return lines;
}

}  // namespace mgproto
