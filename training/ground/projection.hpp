// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__GROUND__PROJECTION_HPP_
#define TRAINING__GROUND__PROJECTION_HPP_

#include <optional>
#include <vector>

#include "mgproto_ros/manifest.hpp"
#include "training/pass/pass.hpp"

namespace mgproto
{

/// A patch of a training image, as the nearest one of its image to a prototype.
struct PatchCandidate
{
  float similarity = 0;
  std::int64_t image = 0;  ///< index into the data set
  std::int64_t position = 0;
  std::vector<float> feature;  ///< [D]
  std::vector<float> map;      ///< activations of the whole image [P]
  int map_cols = 0;
  InputGeometry geometry;

  int map_rows() const { return static_cast<int>(map.size()) / map_cols; }
  /// The patch in the original image.
  Box box() const;
};

/// For every prototype the best patches of its class's images, one an image, best first. So that
/// memory does not grow with the number of images, only `patches` of each are kept; with 0 as many
/// as its class has prototypes, which is what rivals can take away.
class PatchSearch
{
public:
  explicit PatchSearch(const PrototypeHead & head, std::size_t patches = 0);

  /// One image of class `label`; features [D, h, w].
  void add(
    const PrototypeHead & head, const torch::Tensor & features, std::int64_t label,
    std::int64_t image, const InputGeometry & geometry);

  /// The patch for each prototype [K]. With `distinct_images` prototypes choose in their order and
  /// no image serves two; one for which no image is left gets none.
  std::vector<std::optional<PatchCandidate>> choose(bool distinct_images) const;

  /// [K] best first.
  const std::vector<std::vector<PatchCandidate>> & nearest() const { return best_; }

  /// How many different parts a class's prototypes are nearest to, without forcing it; mean over
  /// classes. In the prototypes' order, a patch that is neighbour of a counted one in its image, or
  /// whose feature is nearly that of a counted one, is the same part.
  double distinct_patches() const;

private:
  std::size_t patches_;
  std::vector<std::pair<std::int64_t, std::int64_t>> range_;  // [C]
  std::vector<std::vector<PatchCandidate>> best_;             // [K]
};

struct Projection
{
  std::vector<std::optional<Provenance>> prototypes;  ///< [K], with patches
  std::vector<std::vector<std::uint8_t>> heat;        ///< [K] JPEG of the image under its heat map
  double distinct_patches = 0;
};

/// p <- the feature, over all positions of all training images of the class, with the highest
/// similarity. Changes the head's means. One pass over the images. Throws ConfigError for a head
/// without prototypes.
Projection project(
  Network & network, const Dataset & dataset, Loader & loader, bool distinct_images,
  const Progress & progress = {});

}  // namespace mgproto

#endif  // TRAINING__GROUND__PROJECTION_HPP_
