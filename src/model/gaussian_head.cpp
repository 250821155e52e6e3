// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/gaussian_head.hpp"

#include <torch/torch.h>

#include <limits>

#include "mgproto_ros/error.hpp"

namespace mgproto
{
namespace
{

constexpr double kPi = 3.14159265358979323846;

std::vector<int> equal_classes(int classes, int per_class)
{
  std::vector<int> result;
  for (int c = 0; c < classes; ++c) {
    result.insert(result.end(), per_class, c);
  }
  return result;
}

}  // namespace

torch::Tensor unit_vectors(const torch::Tensor & features)
{
  return torch::nn::functional::normalize(
    features, torch::nn::functional::NormalizeFuncOptions().p(2).dim(1).eps(1e-12));
}

std::pair<torch::Tensor, torch::Tensor> top_levels(const torch::Tensor & maps, std::int64_t levels)
{
  auto [values, positions] = maps.topk(std::min(levels, maps.size(2)), 2);
  return {values, positions};
}

GaussianHead::GaussianHead(int classes, int prototypes_per_class, const HeadConfig & config)
: GaussianHead(
    unit_vectors(
      torch::rand({static_cast<std::int64_t>(classes) * prototypes_per_class, config.feature_dim})),
    torch::full(
      {static_cast<std::int64_t>(classes) * prototypes_per_class}, 1.0 / prototypes_per_class),
    equal_classes(classes, prototypes_per_class), config)
{
}

GaussianHead::GaussianHead(
  const torch::Tensor & means_, const torch::Tensor & priors_,
  const std::vector<int> & prototype_class, const HeadConfig & config)
: prototype_class_(prototype_class), concentration_(config.concentration)
{
  means = register_buffer("means", means_);
  priors = register_buffer("priors", priors_);

  std::int64_t largest = 0;
  class_begin_.push_back(0);
  for (std::size_t k = 0; k < prototype_class_.size(); ++k) {
    const bool last_of_class =
      k + 1 == prototype_class_.size() || prototype_class_[k + 1] != prototype_class_[k];
    if (prototype_class_[k] + 1 != static_cast<int>(class_begin_.size())) {
      throw Error("prototypes must be sorted by class and every class must have one");
    }
    if (last_of_class) {
      const auto end = static_cast<std::int64_t>(k + 1);
      largest = std::max(largest, end - class_begin_.back());
      class_begin_.push_back(end);
    }
  }
  const auto count = static_cast<std::int64_t>(class_begin_.size()) - 1;
  equal_counts_ = largest * count == prototypes();
  std::vector<std::int64_t> slots;
  for (std::int64_t c = 0; c < count; ++c) {
    for (std::int64_t m = 0; m < largest; ++m) {
      const std::int64_t k = class_begin_[c] + m;
      slots.push_back(k < class_begin_[c + 1] ? k : prototypes());
    }
  }
  slots_ = register_buffer("slots", torch::tensor(slots, torch::kInt64));
  class_priors = register_buffer("class_priors", torch::full({count}, 1.0 / count));
}

std::pair<std::int64_t, std::int64_t> GaussianHead::range_of(int class_id) const
{
  return {class_begin_.at(class_id), class_begin_.at(class_id + 1)};
}

torch::Tensor GaussianHead::log_likelihood_maps(
  const torch::Tensor & features, const std::optional<torch::Tensor> & prototypes) const
{
  const torch::Tensor f = features.flatten(2);  // [B, D, P]
  const torch::Tensor p = prototypes ? means.index_select(0, *prototypes) : means;

  // -pi kappa |f - p|^2 = pi kappa (2 f.p - |f|^2 - |p|^2): one matrix product instead of the
  // differences [P, K, D]. |f|^2 is 1 but for a feature of length 0.
  const double scale = kPi * concentration_;
  const torch::Tensor p_squared = p.square().sum(1).mul(-scale).view({1, -1, 1});   // [1, K, 1]
  const torch::Tensor f_squared = f.square().sum(1, /*keepdim=*/true).mul(-scale);  // [B, 1, P]
  const torch::Tensor log_likelihood = torch::matmul(p * (2 * scale), f) + p_squared + f_squared;
  return log_likelihood.clamp_max(0);  // rounding must not make a density larger than its maximum
}

torch::Tensor GaussianHead::log_mixture(const torch::Tensor & log_likelihood) const
{
  torch::Tensor weighted = log_likelihood + priors.log();  // log pi_m h_m  [B, K]
  if (!equal_counts_) {
    const torch::Tensor nothing =
      torch::full_like(weighted.slice(1, 0, 1), -std::numeric_limits<double>::infinity());
    weighted = torch::cat({weighted, nothing}, 1).index_select(1, slots_);
  }
  return weighted.view({-1, classes(), slots_.size(0) / classes()}).logsumexp(2);
}

void GaussianHead::apply_bayes(Densities & densities) const
{
  const torch::Tensor log_joint = densities.log_class_density + class_priors.log();  // p(x|c) p(c)
  densities.log_density = log_joint.logsumexp(1);
  densities.log_posterior = log_joint - densities.log_density.unsqueeze(1);
}

Densities GaussianHead::forward(const torch::Tensor & features) const
{
  Densities densities;
  std::tie(densities.log_likelihood, densities.position) =
    log_likelihood_maps(features).max(2);                               // h = max over positions
  densities.log_class_density = log_mixture(densities.log_likelihood);  // p(x|c)
  apply_bayes(densities);                                               // p(c|x), p(x)
  return densities;
}

}  // namespace mgproto
