// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__INTERPRET__STABILITY_HPP_
#define TRAINING__EVALUATE__INTERPRET__STABILITY_HPP_

#include <optional>
#include <vector>

#include "training/evaluate/interpret/observed_image.hpp"
#include "training/random.hpp"

namespace mgproto
{

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

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__INTERPRET__STABILITY_HPP_
