// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/whitening.hpp"

#include <torch/torch.h>

#include "mgproto_ros/error.hpp"
#include "model/heads/gaussian_head.hpp"

namespace mgproto
{
namespace
{

/// Neighbouring places of a map say nearly the same: every so many-th is enough for their covariance.
constexpr std::int64_t kPlaceStride = 4;

/// Smallest eigenvalue that is whitened, as a share of the mean one. Without shrinkage and with fewer
/// images than channels there are directions without any variance.
constexpr double kSmallest = 1e-6;

}  // namespace

WhiteningStatistics::WhiteningStatistics(std::int64_t classes, std::int64_t channels)
: count_(torch::zeros({classes}, torch::kFloat64)),
  class_sum_(torch::zeros({classes, channels}, torch::kFloat64)),
  pooled_(torch::zeros({channels, channels}, torch::kFloat64)),
  places_(torch::zeros({channels, channels}, torch::kFloat64)),
  place_sum_(torch::zeros({channels}, torch::kFloat64))
{
}

void WhiteningStatistics::add(const torch::Tensor & z, const torch::Tensor & labels)
{
  const torch::NoGradGuard no_grad;
  const torch::Tensor pooled = z.mean({2, 3});  // g [B, channels]
  count_.index_add_(0, labels, torch::ones({labels.size(0)}, torch::kFloat64));
  class_sum_.index_add_(0, labels, pooled.to(torch::kFloat64));
  pooled_ += torch::matmul(pooled.t(), pooled);
  const torch::Tensor places = z.flatten(2)
                                 .slice(2, 0, c10::nullopt, kPlaceStride)
                                 .permute({0, 2, 1})
                                 .reshape({-1, z.size(1)});  // [places, channels]
  places_ += torch::matmul(places.t(), places);
  place_sum_ += places.sum(0);
  place_count_ += places.size(0);
}

Whitening WhiteningStatistics::solve(
  double shrinkage, std::int64_t class_dim, std::int64_t local_dim) const
{
  const torch::NoGradGuard no_grad;
  const std::int64_t C = count_.size(0);
  const std::int64_t channels = place_sum_.size(0);
  if (count_.min().item<double>() < 1) {
    throw Error("whitening: a class has no image");
  }
  if (class_dim < 1 || class_dim > C - 1 || class_dim + local_dim > channels) {
    throw Error(
      "whitening: " + std::to_string(class_dim) + " class and " + std::to_string(local_dim) +
      " local directions of " + std::to_string(C) + " classes and " + std::to_string(channels) +
      " channels");
  }
  const torch::Tensor identity = torch::eye(channels, torch::kFloat64);

  // Within classes: S = sum over images of (g - class mean)(g - class mean)^T / (N - C)
  const torch::Tensor class_mean = class_sum_ / count_.unsqueeze(1);  // [C, channels]
  const torch::Tensor mean = class_sum_.sum(0) / count_.sum();        // [channels]
  const torch::Tensor within =
    (pooled_ - torch::matmul(class_mean.t(), class_sum_)) / (count_.sum() - C).clamp_min(1);
  const torch::Tensor average = within.diagonal().mean();
  const torch::Tensor shrunk = (1 - shrinkage) * within + shrinkage * average * identity;
  const auto [variance, axes] = torch::linalg_eigh((shrunk + shrunk.t()) / 2);
  const torch::Tensor scale = variance.clamp_min(kSmallest * average).rsqrt();
  const torch::Tensor whiten = torch::matmul(axes * scale, axes.t());  // symmetric

  // Class directions: those in which the whitened class means differ most.
  const torch::Tensor whitened_means = torch::matmul(class_mean - mean, whiten);  // [C, channels]
  const torch::Tensor directions = std::get<2>(torch::linalg_svd(whitened_means, false));
  const torch::Tensor of_classes = directions.slice(0, 0, class_dim);  // [class_dim, channels]

  // Local directions: outside of those, in which whitened places vary most.
  const double places = static_cast<double>(place_count_);
  const torch::Tensor centre = place_sum_ / places;
  const torch::Tensor place_covariance = places_ / places - torch::outer(centre, centre);
  const torch::Tensor outside = identity - torch::matmul(of_classes.t(), of_classes);
  const torch::Tensor to_outside = torch::matmul(whiten, outside);
  const torch::Tensor varying =
    torch::matmul(to_outside.t(), torch::matmul(place_covariance, to_outside));
  const torch::Tensor local_axes = std::get<1>(torch::linalg_eigh((varying + varying.t()) / 2));
  const torch::Tensor of_places =
    local_axes.slice(1, channels - local_dim, channels).flip(1).t();  // [local_dim, channels]

  const torch::Tensor weight = torch::matmul(torch::cat({of_classes, of_places}), whiten);
  Whitening result;
  result.weight = weight.to(torch::kFloat32);
  result.bias = -torch::matmul(weight, mean).to(torch::kFloat32);
  result.class_means =
    unit_vectors(torch::matmul(whitened_means, of_classes.t())).to(torch::kFloat32);
  result.mean = mean.to(torch::kFloat32);
  result.pooled_means = class_mean.to(torch::kFloat32);
  return result;
}

}  // namespace mgproto
