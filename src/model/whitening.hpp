// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__WHITENING_HPP_
#define MODEL__WHITENING_HPP_

#include <torch/types.h>

#include <cstdint>

namespace mgproto
{

/// A linear map of the backbone's channels in which images of one class vary equally in all
/// directions: f = weight (z - mean).
struct Whitening
{
  torch::Tensor weight;  ///< [D, channels], the directions that tell classes apart first
  torch::Tensor bias;    ///< [D], -weight mean
  torch::Tensor
    class_means;       ///< unit vectors of the classes in those first directions [C, class_dim]
  torch::Tensor mean;  ///< of pooled maps [channels]
  torch::Tensor pooled_means;  ///< of each class's pooled maps [C, channels]
};

/// Gathers, in one pass over training images, what the closed form needs: how pooled maps vary within
/// and between classes, and how places vary. Its size does not depend on the number of images.
class WhiteningStatistics
{
public:
  WhiteningStatistics(std::int64_t classes, std::int64_t channels);

  /// A batch's maps z [B, channels, h, w] with its labels [B].
  void add(const torch::Tensor & z, const torch::Tensor & labels);

  /// The covariance of pooled maps within classes, (1 - shrinkage) S + shrinkage tr(S) / channels I,
  /// is whitened. `class_dim` directions follow, which tell the whitened class means apart best, and
  /// then, at right angles to them, `local_dim` in which whitened places vary most. Throws Error if a
  /// class has no image, or if there are fewer than two classes more than `class_dim` or channels
  /// than directions.
  Whitening solve(double shrinkage, std::int64_t class_dim, std::int64_t local_dim) const;

private:
  torch::Tensor count_;      // images of each class [C]
  torch::Tensor class_sum_;  // of pooled maps [C, channels]
  torch::Tensor pooled_;     // sum of g g^T over images [channels, channels]
  torch::Tensor places_;     // sum of z z^T over places
  torch::Tensor place_sum_;  // sum of z over places [channels]
  std::int64_t place_count_ = 0;
};

}  // namespace mgproto

#endif  // MODEL__WHITENING_HPP_
