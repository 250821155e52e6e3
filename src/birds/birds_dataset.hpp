// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BIRDS__BIRDS_DATASET_HPP_
#define BIRDS__BIRDS_DATASET_HPP_

#include <cstdint>
#include <string>

#include "datasets/drawn_files.hpp"

namespace mgproto::birds
{

struct Options
{
  int classes = 12;        ///< the first so many of seen_species()
  int per_class = 200;     ///< half of them for training, half for testing
  int size = 96;           ///< width and height of every picture
  std::uint64_t seed = 1;  ///< draws the individuals; the species are always the same
  int calibration = 240;   ///< at least so many further pictures of the seen species
  int ood = 240;           ///< at least so many pictures of each out-of-distribution kind
};

/// Draws the data set on all cores:
///   DIR/birds                 in the file layout of CUB-200-2011, with parts and segmentations
///   DIR/calibration/<class>   an image folder
///   DIR/ood/unseen_species/<species>, DIR/ood/vehicles, DIR/ood/textures
/// A picture depends on the seed, its place and its size alone, not on how many are drawn.
/// Throws FileError if the directory has anything in it or cannot be written, ConfigError for an
/// option out of range.
void write_dataset(
  const std::string & dir, const Options & options, const DrawingProgress & progress = {});

}  // namespace mgproto::birds

#endif  // BIRDS__BIRDS_DATASET_HPP_
