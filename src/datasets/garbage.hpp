// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DATASETS__GARBAGE_HPP_
#define DATASETS__GARBAGE_HPP_

#include <cstdint>
#include <opencv2/core/mat.hpp>
#include <string>
#include <vector>

#include "datasets/dataset.hpp"
#include "datasets/drawn_files.hpp"

namespace mgproto
{

// Garbage: images that no working camera aimed at an object sends, such as noise, test charts and
// the frames of a broken transfer. No class is right for them, so a model must reject them all.

/// "uniform_noise", "checkerboard", "underexposed", ...
const std::vector<std::string> & garbage_kinds();

/// The seed of garbage_dataset().
constexpr std::uint64_t kGarbageSeed = 1;

/// 8-bit BGR. The same arguments give the same bytes on every machine. Throws ConfigError if the
/// kind is not one of garbage_kinds() or the size is empty.
cv::Mat garbage_image(
  const std::string & kind, std::uint64_t index, cv::Size size, std::uint64_t seed = kGarbageSeed);

/// What cameras and data sets have, from 64 x 64 to 640 x 480, in turn.
cv::Size garbage_size(std::uint64_t index);

/// A set without classes whose images, "uniform_noise/0007", are drawn when they are read: image i
/// is garbage_image(kind, i, garbage_size(i)). Throws ConfigError for an unknown kind or a count
/// below 1.
Dataset garbage_dataset(const std::string & kind, std::int64_t count);

struct GarbageOptions
{
  int per_kind = 20;
  std::uint64_t seed = kGarbageSeed;
};

/// Writes DIR/<kind>/0000.png and so on, the images of garbage_dataset() if the seed is
/// kGarbageSeed. Throws FileError if the directory has anything in it or cannot be written,
/// ConfigError for an option out of range.
void write_garbage(
  const std::string & dir, const GarbageOptions & options, const DrawingProgress & progress = {});

}  // namespace mgproto

#endif  // DATASETS__GARBAGE_HPP_
