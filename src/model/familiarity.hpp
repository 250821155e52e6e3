// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__FAMILIARITY_HPP_
#define MODEL__FAMILIARITY_HPP_

#include <torch/nn/module.h>

#include <vector>

#include "mgproto_ros/model_config.hpp"

namespace mgproto
{

/// How training images look to the finished network, so that it can ask of another one what log p(x)
/// cannot tell: whether the parts of its class are there as well as usual, and where its pooled map g
/// lies in the backbone's whole space, of which the features have dropped the most.
///
/// Of a pooled map only the direction counts, since its length says more about contrast than about what is
/// seen (Mueller & Hein 2025). Those of a class are a Gaussian about the class's mean, with one covariance
/// S for all classes: some directions with variances of their own, one variance for all others. The class means, too, are
/// Gaussian, which makes one wider Gaussian of everything. Distances are Mahalanobis'.
class Familiarity : public torch::nn::Module
{
public:
  /// Empty, to be filled from a checkpoint or by fit().
  Familiarity(
    const FamiliarityConfig & config, const std::vector<int> & prototype_class,
    std::int64_t channels);

  /// From the training images' pooled maps [N, channels], log h at kappa = 1 of the prototypes of each
  /// image [N, K] and labels [N]. `shrinkage` as in WhiteningStatistics::solve(). Throws Error if a
  /// class has no image.
  void fit(
    const torch::Tensor & pooled, const torch::Tensor & log_likelihood,
    const torch::Tensor & labels, double shrinkage);

  /// How far below its mean among its class's training images each prototype's log h at kappa = 1 is,
  /// in standard deviations; 0 where it is above.  [B, K]
  torch::Tensor shortfall(const torch::Tensor & log_likelihood /*[B, K]*/) const;

  /// Where pooled maps lie; what place() and distance() both need.
  struct Located
  {
    torch::Tensor from_mean;            ///< of all images [B, channels]
    torch::Tensor in_class_directions;  ///< u [B, class_dim]
    torch::Tensor to_class;             ///< squared distance to the predicted class in those [B]
  };
  Located locate(const torch::Tensor & pooled, const torch::Tensor & predicted) const;

  // Answers [B], higher for what is known, about the class [B] that was predicted.

  /// Minus the root of the mean squared shortfall of its prototypes.
  torch::Tensor parts(const torch::Tensor & shortfall, const torch::Tensor & predicted) const;
  /// That class rather than any: squared distance to everything minus that to the class, halved, the
  /// logarithm of a ratio of densities (relative Mahalanobis, Ren et al. 2021).
  torch::Tensor place(const Located & located) const;
  /// Minus the distance to the class.
  torch::Tensor distance(const Located & located) const;

  /// Of images of one class: the one direction, outside of class directions, along which its mean lies, scaled to a variance of 1 within classes. `along` is the mean's place in the class directions
  /// and `distance` that along its own, farther out than the class's the fewer the images.
  struct OwnDirection
  {
    torch::Tensor direction;  ///< [channels]
    torch::Tensor along;      ///< [class_dim]
    double distance = 0;
  };
  /// Outside of the first `class_dim` class directions.
  OwnDirection own_direction(
    const torch::Tensor & pooled /*[k, channels]*/, std::int64_t class_dim) const;

  /// The directions from the mean of all images, whitened by S^-1/2, as unit vectors [B, channels].
  torch::Tensor whitened_directions(const torch::Tensor & pooled) const;

  /// Squared distances outside of the class directions, which no class explains [B].
  torch::Tensor outside(const torch::Tensor & pooled) const;

  /// Where images lie along any direction is directions_of(pooled) times it minus this.
  double offset(const torch::Tensor & direction) const;

  torch::Tensor part_mean;       ///< [K]
  torch::Tensor part_deviation;  ///< [K]
  /// Directions in which class means differ, scaled to a variance of 1 within classes; the means of
  /// classes lie in them entirely as long as there are class_dim + 1 of them at most. The last ones may be
  /// the taught classes' own.
  torch::Tensor class_directions;  ///< [class_dim, channels]
  torch::Tensor class_means;       ///< u of each class [C, class_dim]
  torch::Tensor total_variance;  ///< of u over all images, 1 + that of the class means [class_dim]

private:
  torch::Tensor squared_outside(const Located & located) const;

  torch::Tensor class_of_;  // [K]
  torch::Tensor mean_;      // of all images [channels]
  /// S^-1 = precision_ I - spread_^T spread_: one precision for all directions, and less of it in those
  /// in which images of a class vary most.
  torch::Tensor precision_;  // [1]
  torch::Tensor spread_;     // [spread_dim, channels]
};

/// What fit() may use of so many images in so many channels.
FamiliarityConfig familiarity_for(std::int64_t classes, std::int64_t images, std::int64_t channels);

}  // namespace mgproto

#endif  // MODEL__FAMILIARITY_HPP_
