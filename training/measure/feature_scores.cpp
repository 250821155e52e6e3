// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/feature_scores.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>

#include "mgproto_ros/error.hpp"
#include "model/heads/gaussian_head.hpp"
#include "training/measure/checked_input.hpp"
#include "training/measure/feature_fits.hpp"
#include "training/measure/logit_scores.hpp"

namespace mgproto
{
namespace
{

constexpr std::int64_t kExactDistance = 2;  // of cdist: differences, not a matrix product

/// Squared Mahalanobis distances [N, C] of features to the classes of the training images.
std::function<torch::Tensor(const torch::Tensor &)> squared_distances(
  const torch::Tensor & features, const torch::Tensor & class_labels)
{
  const auto [means, class_of] = class_means(features, class_labels);
  const torch::Tensor centred = features - means.index_select(0, class_of);
  const Axes axes = axes_of(centred);
  const torch::Tensor whitening = axes.directions / axes.moments.sqrt();  // [D, R]
  return [whitening, whitened_means = means.matmul(whitening)](const torch::Tensor & x) {
    const torch::Tensor whitened =
      checked_matrix(x, "features", whitening.size(0)).matmul(whitening);
    return torch::cdist(whitened, whitened_means, 2, kExactDistance).square();
  };
}

}  // namespace

OodScore mahalanobis(const ImageOutputs & training)
{
  const torch::Tensor features = training_features(training);
  return [distances = squared_distances(features, training.labels)](const ImageOutputs & images) {
    return -distances(images.features).amin(1);
  };
}

OodScore mahalanobis_of_directions(const ImageOutputs & training)
{
  const torch::Tensor directions = unit_vectors(training_features(training));
  return [distances = squared_distances(directions, training.labels)](const ImageOutputs & images) {
    const torch::Tensor x = checked_matrix(images.features, "features");
    return -distances(unit_vectors(x)).amin(1);
  };
}

OodScore relative_mahalanobis(const ImageOutputs & training)
{
  const torch::Tensor features = training_features(training);
  return [to_classes = squared_distances(features, training.labels),
          to_all = squared_distances(features, torch::zeros_like(training.labels))](
           const ImageOutputs & images) {
    return (to_all(images.features) - to_classes(images.features)).amax(1);
  };
}

OodScore gem(const ImageOutputs & training)
{
  const torch::Tensor features = training_features(training);
  return [distances = squared_distances(features, training.labels)](const ImageOutputs & images) {
    return (-0.5 * distances(images.features)).logsumexp(1);
  };
}

OodScore knn(const ImageOutputs & training, std::int64_t k)
{
  const torch::Tensor known = unit_vectors(training_features(training));
  if (k < 1) {
    throw ConfigError("k", "must be at least 1");
  }
  const torch::Tensor lengths = known.square().sum(1);
  return [known, lengths, k = std::min(k, known.size(0))](const ImageOutputs & images) {
    const torch::Tensor queries =
      unit_vectors(checked_matrix(images.features, "features", known.size(1)));
    torch::Tensor scores = torch::empty({queries.size(0)}, torch::kFloat64);
    for (std::int64_t first = 0; first < queries.size(0); first += kImagesAtOnce) {
      const torch::Tensor some =
        queries.slice(0, first, std::min(first + kImagesAtOnce, queries.size(0)));
      // |t|^2 - 2 q.t orders the training images t as |q - t| does.
      const torch::Tensor order = lengths - 2 * some.matmul(known.t());
      const torch::Tensor neighbour = std::get<1>(order.kthvalue(k, 1));
      const torch::Tensor distance = (some - known.index_select(0, neighbour)).norm(2, 1);
      scores.slice(0, first, first + some.size(0)).copy_(-distance);
    }
    return scores;
  };
}

std::int64_t neighbours_within_classes(const torch::Tensor & labels)
{
  const std::int64_t classes = std::get<0>(torch::_unique2(labels)).size(0);
  return std::clamp<std::int64_t>(labels.size(0) / (2 * std::max<std::int64_t>(classes, 1)), 1, 50);
}

OodScore vim(const ImageOutputs & training, const std::optional<LinearLayer> & layer)
{
  const torch::Tensor features = training_features(training);
  torch::Tensor origin = features.mean(0);  // [D]
  if (layer) {
    const auto [weight, bias] = checked(*layer, features.size(1));
    origin = -torch::linalg_pinv(weight).matmul(bias);
  }
  const torch::Tensor centred = features - origin;
  const torch::Tensor principal =  // [D, R], columns span the principal space
    axes_of(centred).directions.slice(
      1, 0, principal_dimensions(features.size(1), features.size(0)));
  const auto residual = [origin, principal](const torch::Tensor & x) {
    const torch::Tensor from_origin = x - origin;
    return (from_origin - from_origin.matmul(principal).matmul(principal.t())).norm(2, 1);
  };

  const auto residuals = residual(features).sum().item<double>();
  const auto lengths = centred.norm(2, 1).sum().item<double>();
  const auto largest_logits = max_logit(logits_of(training)).sum().item<double>();
  const double alpha = residuals > kRounding * lengths ? std::abs(largest_logits) / residuals : 0;
  return [residual, alpha, dimensions = features.size(1)](const ImageOutputs & images) {
    const torch::Tensor x = checked_matrix(images.features, "features", dimensions);
    return energy(logits_of(images)) - alpha * residual(x);
  };
}

std::int64_t principal_dimensions(std::int64_t features, std::int64_t images)
{
  return std::min(features >= 2048 ? 1000 : features >= 768 ? 512 : features / 2, images / 2);
}

}  // namespace mgproto
