// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__GROUND__PROJECTION_HPP_
#define TRAINING__GROUND__PROJECTION_HPP_

#include <optional>
#include <vector>

#include "mgproto_ros/manifest.hpp"
#include "model/network.hpp"
#include "training/data/loader.hpp"
#include "training/evaluate/scores.hpp"

namespace mgproto
{

/// A patch of a training image, as the nearest one of its image to a prototype.
struct PatchCandidate
{
  float log_likelihood = 0;
  std::int64_t image = 0;  ///< index into the data set
  std::int64_t position = 0;
  std::vector<float> feature;  ///< [D]
  std::vector<float> map;      ///< likelihoods of the whole image [P]
  int map_cols = 0;
  InputGeometry geometry;
};

/// For every prototype the best patches of its class's images, one an image, best first. Of each
/// no more are kept than its class has prototypes: that is as many as a rival can take away, so
/// memory does not grow with the number of images.
class PatchSearch
{
public:
  explicit PatchSearch(const GaussianHead & head);

  /// One image of class `label`; features [D, h, w].
  void add(
    const GaussianHead & head, const torch::Tensor & features, std::int64_t label,
    std::int64_t image, const InputGeometry & geometry);

  /// The patch for each prototype [K]. With `distinct_images` prototypes choose in their order and
  /// no image serves two; one for which no image is left gets none.
  std::vector<std::optional<PatchCandidate>> choose(bool distinct_images) const;

  /// How many different patches a class's prototypes are nearest to, without forcing it; mean over
  /// classes.
  double distinct_patches() const;

private:
  std::vector<int> prototype_class_;
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
/// likelihood. Changes the head's means. One pass over the images.
Projection project(
  Network & network, const Dataset & dataset, Loader & loader, bool distinct_images,
  const Progress & progress = {});

}  // namespace mgproto

#endif  // TRAINING__GROUND__PROJECTION_HPP_
