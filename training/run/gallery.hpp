// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__GALLERY_HPP_
#define TRAINING__RUN__GALLERY_HPP_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "training/run/model_data.hpp"

namespace mgproto
{

/// How a class's features are laid out in a plane.
enum class FeatureMap
{
  tsne,
  pca,
  none  ///< no maps
};

struct GalleryOptions
{
  ImagesOption images{"", "train"};  ///< to look for patches in
  std::vector<std::string> classes;  ///< to show; all if none is named
  FeatureMap map = FeatureMap::tsne;
  std::string calibration;                 ///< images; none if empty
  std::map<std::string, std::string> ood;  ///< images to reject, by name
};

struct WrittenGallery
{
  std::vector<std::string> files;
  std::int64_t broken = 0;  ///< images that could not be read and were left out
};

/// Writes pictures of a checkpoint into `directory`, which must not exist:
///   gallery_CLASS.png  every prototype of the class, by falling prior, with the training patch it
///                      stands for and the nearest patches of the class's images
///   map_CLASS.png      the class's features and prototypes in a plane
///   densities.png      log p(x) of the data's test split (all of it if it has no splits), of the
///                      calibration images and of the images to reject, and the threshold
///   report.html        all of them on one page
/// Characters of a class's name that a file's name had better not have become '_'. Throws Error,
/// and before anything is written if the model, the data or a class's name is at fault.
WrittenGallery write_gallery(
  const std::string & model, const GalleryOptions & options, const std::string & directory,
  const StepProgress & progress);

}  // namespace mgproto

#endif  // TRAINING__RUN__GALLERY_HPP_
