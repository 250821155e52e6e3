// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__INTERPRET__PURITY_HPP_
#define TRAINING__EVALUATE__INTERPRET__PURITY_HPP_

#include <optional>
#include <vector>

#include "training/evaluate/interpret/observed_image.hpp"

namespace mgproto
{

/// Over prototypes.
struct PurityScore
{
  double mean = 0;
  double deviation = 0;  ///< of the whole population
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

#endif  // TRAINING__EVALUATE__INTERPRET__PURITY_HPP_
