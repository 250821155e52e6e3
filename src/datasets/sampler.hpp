// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DATASETS__SAMPLER_HPP_
#define DATASETS__SAMPLER_HPP_

#include <cstdint>
#include <vector>

#include "datasets/dataset.hpp"

namespace mgproto
{

/// In which order an epoch shows the images.
enum class SampleOrder
{
  as_listed,
  shuffled,
  /// As many draws as there are images, shared evenly between the classes that have any: in rounds
  /// of one image of each class, in random order. No image of a class comes again before all others
  /// of that class have come.
  balanced
};

/// One draw of an epoch.
struct Draw
{
  std::int64_t image = 0;   ///< index into Dataset::samples
  std::int64_t repeat = 0;  ///< how often this epoch has drawn it before; 0 unless balanced
};

/// The draws of an epoch, one per image of the data set. They depend on nothing but the arguments.
/// Throws ConfigError for a balanced order of a set without classes.
std::vector<Draw> draw_epoch(
  const Dataset & dataset, SampleOrder order, std::uint64_t seed, std::int64_t epoch);

}  // namespace mgproto

#endif  // DATASETS__SAMPLER_HPP_
