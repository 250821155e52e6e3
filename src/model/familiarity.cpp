// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/familiarity.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>

#include "mgproto_ros/error.hpp"
#include "model/principal_axes.hpp"

namespace mgproto
{
namespace
{

// Enough for what is asked, and little beside a backbone's weights.
constexpr std::int64_t kMostClassDirections = 256;
constexpr std::int64_t kMostSpreadDirections = 128;

/// Of a prototype whose log h hardly varies, at kappa = 1: a tenth of a degree.
constexpr double kSmallestDeviation = 1e-5;
/// Of the directions' variances, as a share of their mean.
constexpr double kSmallestVariance = 1e-6;
/// Squared, in standard deviations, of a class that lies within the class directions.
constexpr double kSmallestOwnDistance = 1e-6;

torch::Tensor row_sums_by_class(
  const torch::Tensor & rows, const torch::Tensor & labels, std::int64_t classes)
{
  return torch::zeros({classes, rows.size(1)}, rows.options()).index_add(0, labels, rows);
}

torch::Tensor directions_of(const torch::Tensor & rows)
{
  return rows / rows.norm(2, 1, /*keepdim=*/true).clamp_min(1e-12);
}

}  // namespace

FamiliarityConfig familiarity_for(std::int64_t classes, std::int64_t images, std::int64_t channels)
{
  FamiliarityConfig config;
  config.class_dim = static_cast<int>(std::min({classes - 1, channels, kMostClassDirections}));
  config.spread_dim = static_cast<int>(
    std::max<std::int64_t>(0, std::min({images - classes, channels / 2, kMostSpreadDirections})));
  return config;
}

Familiarity::Familiarity(
  const FamiliarityConfig & config, const std::vector<int> & prototype_class, std::int64_t channels)
: class_of_(torch::tensor(prototype_class, torch::kInt64))
{
  const auto prototypes = static_cast<std::int64_t>(prototype_class.size());
  const std::int64_t classes = prototype_class.back() + 1;
  part_mean = register_buffer("part_mean", torch::zeros({prototypes}));
  part_deviation = register_buffer("part_deviation", torch::ones({prototypes}));
  mean_ = register_buffer("mean", torch::zeros({channels}));
  class_directions =
    register_buffer("class_directions", torch::zeros({config.class_dim, channels}));
  class_means = register_buffer("class_means", torch::zeros({classes, config.class_dim}));
  total_variance = register_buffer("total_variance", torch::ones({config.class_dim}));
  precision_ = register_buffer("precision", torch::ones({1}));
  spread_ = register_buffer("spread", torch::zeros({config.spread_dim, channels}));
}

void Familiarity::fit(
  const torch::Tensor & pooled, const torch::Tensor & log_likelihood, const torch::Tensor & labels,
  double shrinkage)
{
  const torch::NoGradGuard no_grad;
  const torch::Tensor g = directions_of(pooled.to(torch::kFloat64));
  const std::int64_t classes = class_means.size(0);
  const std::int64_t channels = g.size(1);
  const torch::Tensor count = torch::bincount(labels, {}, classes).to(torch::kFloat64);  // [C]
  if (count.min().item<double>() < 1) {
    throw Error("familiarity: a class has no image");
  }

  // Parts: mean and deviation of log h over the images of the prototype's class.
  const torch::Tensor of_class = labels.unsqueeze(1).eq(class_of_.unsqueeze(0));  // [N, K]
  const torch::Tensor log_h = log_likelihood.to(torch::kFloat64);
  const torch::Tensor images = of_class.sum(0).to(torch::kFloat64);  // [K]
  const torch::Tensor usual = (log_h * of_class).sum(0) / images;
  const torch::Tensor variance = ((log_h - usual).square() * of_class).sum(0) / images;
  part_mean.copy_(usual);
  part_deviation.copy_(variance.sqrt().clamp_min(kSmallestDeviation));

  // Within classes: S = (1 - s) S' + s tr(S') / channels I, S' without shrinkage.
  const torch::Tensor class_mean = row_sums_by_class(g, labels, classes) / count.unsqueeze(1);
  const torch::Tensor mean = g.mean(0);
  const torch::Tensor centred = g - class_mean.index_select(0, labels);
  const double freedom = std::max<double>(1, static_cast<double>(g.size(0) - classes));
  const std::int64_t spread_dim = spread_.size(0);
  const Axes principal = axes_of(centred);  // about 0, divided by the number of images
  const torch::Tensor axes =
    principal.directions.slice(1, 0, spread_dim).t();  // [<= spread_dim, ..]
  const torch::Tensor variances =
    principal.moments.slice(0, 0, spread_dim) * (static_cast<double>(g.size(0)) / freedom);
  const double trace = centred.square().sum().item<double>() / freedom;
  const double average = std::max(trace / static_cast<double>(channels), 1e-30);
  const double rest = std::max(0.0, trace - variances.sum().item<double>()) /
                      static_cast<double>(std::max<std::int64_t>(1, channels - spread_dim));
  const double floor =
    std::max((1 - shrinkage) * rest + shrinkage * average, kSmallestVariance * average);
  const torch::Tensor shrunk = ((1 - shrinkage) * variances + shrinkage * average).clamp_min(floor);
  precision_.fill_(1 / floor);
  spread_.zero_();  // images may vary in fewer directions
  spread_.slice(0, 0, axes.size(0)).copy_(axes * (1 / floor - 1 / shrunk).sqrt().unsqueeze(1));

  // Class directions: those of the class means, whitened by S^-1/2.
  const torch::Tensor narrower = (shrunk.rsqrt() - 1 / std::sqrt(floor)).unsqueeze(1);
  const auto whitened = [&](const torch::Tensor & rows) {
    return rows / std::sqrt(floor) + rows.matmul(axes.t()).matmul(axes * narrower);
  };
  const torch::Tensor means = whitened(class_mean - mean);  // [C, channels]
  const torch::Tensor directions = std::get<2>(torch::linalg_svd(means, /*full_matrices=*/false))
                                     .slice(0, 0, class_directions.size(0));
  class_directions.copy_(whitened(directions));  // S^-1/2 is symmetric
  const torch::Tensor u = means.matmul(directions.t());
  class_means.copy_(u);
  total_variance.copy_(1 + (u.square() * count.unsqueeze(1)).sum(0) / count.sum());
  mean_.copy_(mean);
}

torch::Tensor Familiarity::shortfall(const torch::Tensor & log_likelihood) const
{
  return ((part_mean - log_likelihood) / part_deviation).clamp_min(0);
}

torch::Tensor Familiarity::parts(
  const torch::Tensor & shortfall, const torch::Tensor & predicted) const
{
  const torch::Tensor of_class =
    predicted.unsqueeze(1).eq(class_of_.to(predicted.device()).unsqueeze(0)).to(torch::kFloat32);
  return -((shortfall.square() * of_class).sum(1) / of_class.sum(1)).sqrt();
}

Familiarity::Located Familiarity::locate(
  const torch::Tensor & pooled, const torch::Tensor & predicted) const
{
  Located located;
  located.from_mean = directions_of(pooled) - mean_;
  located.in_class_directions = located.from_mean.matmul(class_directions.t());
  located.to_class =
    (located.in_class_directions - class_means.index_select(0, predicted)).square().sum(1);
  return located;
}

torch::Tensor Familiarity::place(const Located & located) const
{
  // Outside of the class directions both distances are the same.
  const torch::Tensor to_everything =
    (located.in_class_directions.square() / total_variance).sum(1);
  return (to_everything - located.to_class) / 2;
}

torch::Tensor Familiarity::distance(const Located & located) const
{
  return -(squared_outside(located) + located.to_class).sqrt();
}

torch::Tensor Familiarity::squared_outside(const Located & located) const
{
  return (located.from_mean.square().sum(1) * precision_ -
          located.from_mean.matmul(spread_.t()).square().sum(1) -
          located.in_class_directions.square().sum(1))
    .clamp_min(0);
}

torch::Tensor Familiarity::whitened_directions(const torch::Tensor & pooled) const
{
  // S^-1 = p I - A^T A with orthogonal rows a of A, so S^-1/2 = sqrt(p) I - sum of a a^T times
  // (sqrt(p) - sqrt(p - |a|^2)) / |a|^2, which is the factor below.
  const torch::Tensor from_mean = directions_of(pooled) - mean_;
  const torch::Tensor squared_length = spread_.square().sum(1);  // [spread_dim]
  const torch::Tensor factor =
    1 / (precision_.sqrt() + (precision_ - squared_length).clamp_min(0).sqrt());
  return directions_of(
    from_mean * precision_.sqrt() - (from_mean.matmul(spread_.t()) * factor).matmul(spread_));
}

torch::Tensor Familiarity::outside(const torch::Tensor & pooled) const
{
  return squared_outside(locate(pooled, torch::zeros({pooled.size(0)}, torch::kInt64)));
}

double Familiarity::offset(const torch::Tensor & direction) const
{
  return direction.dot(mean_).item<double>();
}

Familiarity::OwnDirection Familiarity::own_direction(
  const torch::Tensor & pooled, std::int64_t class_dim) const
{
  const torch::NoGradGuard no_grad;
  const torch::Tensor d =
    (directions_of(pooled) - mean_).mean(0).to(torch::kFloat64);  // [channels]
  const torch::Tensor spread = spread_.to(torch::kFloat64);
  const torch::Tensor directions = class_directions.slice(0, 0, class_dim).to(torch::kFloat64);
  OwnDirection own;
  own.along = directions.matmul(d);
  const torch::Tensor whitened =
    precision_.to(torch::kFloat64) * d - spread.t().matmul(spread.matmul(d));  // S^-1 d
  const torch::Tensor rest = whitened - directions.t().matmul(own.along);
  own.distance = std::sqrt(
    std::max((d.dot(whitened) - own.along.dot(own.along)).item<double>(), kSmallestOwnDistance));
  own.direction = (rest / own.distance).to(torch::kFloat32);
  own.along = own.along.to(torch::kFloat32);
  return own;
}

}  // namespace mgproto
