// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__IMAGE_LIST_HPP_
#define TRAINING__RUN__IMAGE_LIST_HPP_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "training/run/training_data.hpp"

namespace mgproto
{

/// Which images a training was given, and for what: images.json in its run directory.
class ImageList
{
public:
  /// Sizes of all, and what is in at most this many of each set, evenly spread.
  static constexpr std::int64_t kMostRead = 1000;

  explicit ImageList(const TrainingData & data);

  /// Nothing if there is none. Throws FileError.
  static std::optional<ImageList> read(const std::string & directory);
  void write(const std::string & directory) const;

  /// In one line what has become of these images; empty if `now` are the same.
  std::string difference(const ImageList & now) const;

private:
  struct Image
  {
    std::string class_name;
    std::int64_t bytes = 0;
    std::string sha256;  // empty: was not read
  };
  using Set = std::map<std::string, Image>;  // by name

  ImageList() = default;
  static Set listed(const Dataset & dataset);

  std::map<std::string, Set> sets_;
};

/// What makes a measurement worthless: the same image in train and in another set, or in two classes. A
/// line for each.
std::vector<std::string> doubtful_images(const TrainingData & data);

}  // namespace mgproto

#endif  // TRAINING__RUN__IMAGE_LIST_HPP_
