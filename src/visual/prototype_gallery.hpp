// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__PROTOTYPE_GALLERY_HPP_
#define VISUAL__PROTOTYPE_GALLERY_HPP_

#include <cstddef>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "visual/patch_picture.hpp"

namespace mgproto::visual
{

/// A patch of an image that is near to a prototype.
struct NearPatch
{
  PatchPicture picture;
  double log_likelihood = 0;
  std::string image;  ///< path of the image
};

struct GalleryPrototype
{
  int number = 0;
  std::size_t place = 0;  ///< in its class, for its colour
  double prior = 0;
  PatchPicture source;             ///< the training patch it stands for; empty if there is none
  std::vector<NearPatch> nearest;  ///< nearest first
};

constexpr int kNearPatches = 5;  ///< a row has room for

// The layout, in pixels.
constexpr int kGalleryFirstRow = 124;  ///< top of the first prototype's tiles
constexpr int kGalleryRowHeight = 196;
constexpr int kGalleryTile = 140;
constexpr int kGallerySourceLeft = 178;
constexpr int kGalleryNearestLeft = 354;
constexpr int kGalleryTileGap = 12;

/// A row for each prototype, in the given order: number and prior, the patch it stands for, the
/// patches nearest to it with their likelihoods. 8-bit BGR. Values that are not finite are named as
/// such, and a patch that is not there leaves a quiet tile.
cv::Mat prototype_gallery(
  const std::string & title, const std::string & caption,
  const std::vector<GalleryPrototype> & prototypes);

}  // namespace mgproto::visual

#endif  // VISUAL__PROTOTYPE_GALLERY_HPP_
