// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DATASETS__DATASET_HPP_
#define DATASETS__DATASET_HPP_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mgproto_ros/prediction.hpp"

namespace mgproto
{

/// A visible part of the object, in pixels of the image that read_image() gives. CUB-200-2011 has a
/// few that lie just outside their image.
struct PartLocation
{
  int part = 0;  ///< index into Dataset::part_names
  double x = 0;
  double y = 0;
};

/// One image of a data set: where it is and what is known about it. No pixels.
struct Sample
{
  std::string name;          ///< path relative to the data set
  std::string file;          ///< the file to open; empty if the image is drawn
  std::int64_t label = -1;   ///< index into Dataset::classes, -1 in a set without classes
  std::int64_t record = -1;  ///< which record of `file`, for CIFAR's files of many images
  std::string generated;     ///< kind of garbage to draw, the image of index `record`
  std::optional<Box> crop;   ///< the only part of the file's image to use
  std::optional<Box> box;    ///< the object's, in the file's image; none if it was cropped to it
  std::string mask;          ///< file of the object's mask; empty without one
  std::vector<PartLocation> parts;
};

struct Dataset
{
  std::string root;
  std::string layout;  ///< "cub", "cifar10", "split folders", "csv", "folders", "flat", "garbage"
  std::string split;   ///< what was really given: "all" for a set without splits
  std::vector<std::string> classes;     ///< empty in a set without classes
  std::vector<std::string> part_names;  ///< empty where the data has no parts
  std::vector<Sample> samples;          ///< folders sorted by path; lists in the order of the list
  /// Images left out by DatasetOptions::leave_out_others, by the name of their class.
  std::map<std::string, std::int64_t> left_out;

  std::int64_t size() const { return static_cast<std::int64_t>(samples.size()); }
};

struct DatasetOptions
{
  /// false: every label is -1, and a folder is searched recursively for images (OoD sets).
  bool labelled = true;
  /// Training needs two classes, and images of each. An evaluation may do with fewer.
  bool evaluation = false;
  /// Use only the object's bounding box of each image (CUB-200-2011).
  bool crop_to_boxes = false;
  /// Label by these names, in this order, as a checkpoint lists them. Empty: as the data does.
  std::vector<std::string> classes;
  /// With `classes`: images of other classes are left out, instead of being an error.
  bool leave_out_others = false;
};

/// Opens `path`, a directory or a CSV file, and recognises its layout by its files, in this order:
///  - CUB-200-2011: images.txt, image_class_labels.txt, classes.txt, train_test_split.txt; where
///    they exist also bounding_boxes.txt, parts/ and segmentations/<class>/<name>.png
///  - CIFAR-10, binary version: data_batch_*.bin, test_batch.bin, batches.meta.txt
///  - split folders: <split>/<class>/**.jpg with train/ or test/ among the splits
///  - CSV: the one *.csv whose header has the columns path, label and optionally split; paths are
///    relative to the CSV
///  - folders: <class>/**.jpg
///  - flat (options.labelled == false only): all images below <split>/, or below `path`
///
/// `split` is "train", "test", "all", or any other that the folders or the CSV name. A set without
/// splits gives all its images, whatever is asked, and says so in Dataset::split.
///
/// Classes are named as the data names them: "001.Black_footed_Albatross" stays whole, because it
/// identifies the class across splits and checkpoints; display_name() is for people. In a CSV whose
/// labels are all whole numbers they must be 0 .. C-1, and are the names too. Classes come from
/// train/ or the whole list, so one class has the same label in every split.
///
/// Throws FileError, in one line with file and line number, if the layout is not recognised, a
/// listed file is missing, a line is malformed, a label is out of range, a class is named twice or
/// has no images, there is only one class, or there are no images; ConfigError if the options do
/// not fit the data. Does not decode images.
Dataset open_dataset(
  const std::string & path, const std::string & split, const DatasetOptions & options = {});

/// Images per class, [C].
std::vector<std::int64_t> class_counts(const Dataset & dataset);

/// p(c) estimated from the labels, [C], sums to 1.
std::vector<double> class_frequencies(const Dataset & dataset);

/// "001.Black_footed_Albatross" -> "Black footed Albatross".
std::string display_name(const std::string & class_name);

}  // namespace mgproto

#endif  // DATASETS__DATASET_HPP_
