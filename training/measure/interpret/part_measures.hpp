// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__INTERPRET__PART_MEASURES_HPP_
#define TRAINING__MEASURE__INTERPRET__PART_MEASURES_HPP_

#include <optional>
#include <set>
#include <vector>

#include "model/random.hpp"
#include "training/measure/interpret/observed_image.hpp"
#include "training/measure/results.hpp"

namespace mgproto
{

/// A prototype is consistent if some part lies in its box in at least 80 % of the images of its
/// class in which that part is annotated.
class Consistency
{
public:
  Consistency(std::int64_t prototypes, std::size_t parts);

  /// An image with the maps of its own class's prototypes.
  void add(const ObservedImage & image);

  /// Share of consistent prototypes among those whose class has an annotated part; none without.
  std::optional<double> result() const;

private:
  struct Count
  {
    std::int64_t annotated = 0;  // images
    std::int64_t covered = 0;    // of these
  };
  std::vector<std::vector<Count>> counts_;  // [K][parts]
};

/// A normalised image [3, H, W] with noise N(0, 0.2^2), clipped to ±0.25, on every value.
torch::Tensor with_noise(const torch::Tensor & image, Random random);

/// How often a prototype's box holds the same set of parts with and without noise on the image.
class Stability
{
public:
  explicit Stability(std::int64_t prototypes);

  /// An image with the maps of its own class's prototypes, and their maps of the image with noise.
  /// An image without parts says nothing and is left out.
  void add(const ObservedImage & image, const torch::Tensor & noisy_maps /*[M, h, w]*/);

  /// Share of images whose set of parts is unchanged, mean over prototypes; none without any image.
  std::optional<double> result() const;

private:
  struct Count
  {
    std::int64_t images = 0;
    std::int64_t unchanged = 0;
  };
  std::vector<Count> counts_;  // [K]
};

/// Of a prototype's 10 most activating patches, one an image and 32 x 32 pixels at 224, the share
/// that contain the part that most of them contain. Memory does not grow with the number of images.
class Purity
{
public:
  static constexpr std::size_t kPatches = 10;

  explicit Purity(std::int64_t prototypes);

  /// An image with the maps of any prototypes; of two equal patches the first one seen comes first.
  /// An image without parts says nothing and is left out.
  void add(const ObservedImage & image);

  /// Over the prototypes that have seen an image; none without any. One that has seen fewer than 10
  /// is judged by those.
  std::optional<PurityScore> result() const;

private:
  struct Patch
  {
    float likelihood = 0;
    std::set<int> parts;
  };
  std::vector<std::vector<Patch>> best_;  // [K], best first
};

}  // namespace mgproto

#endif  // TRAINING__MEASURE__INTERPRET__PART_MEASURES_HPP_
