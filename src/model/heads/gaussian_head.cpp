// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/heads/gaussian_head.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <limits>
#include <map>

#include "mgproto_ros/error.hpp"

namespace mgproto
{
namespace
{

constexpr double kPi = 3.14159265358979323846;

torch::Tensor equal_priors(const std::vector<int> & prototype_class)
{
  std::map<int, int> count;
  for (const int c : prototype_class) {
    ++count[c];
  }
  std::vector<float> priors;
  for (const int c : prototype_class) {
    priors.push_back(1.0f / static_cast<float>(count[c]));
  }
  return torch::tensor(priors);
}

}  // namespace

torch::Tensor unit_vectors(const torch::Tensor & features)
{
  return torch::nn::functional::normalize(
    features, torch::nn::functional::NormalizeFuncOptions().p(2).dim(1).eps(1e-12));
}

GaussianHead::GaussianHead(int classes, int prototypes_per_class, const HeadConfig & config)
: GaussianHead(equal_classes(classes, prototypes_per_class), config)
{
}

GaussianHead::GaussianHead(const std::vector<int> & prototype_class, const HeadConfig & config)
: GaussianHead(
    unit_vectors(
      torch::rand({static_cast<std::int64_t>(prototype_class.size()), config.feature_dim})),
    equal_priors(prototype_class), prototype_class, config)
{
}

GaussianHead::GaussianHead(
  const torch::Tensor & means_, const torch::Tensor & priors_,
  const std::vector<int> & prototype_class, const HeadConfig & config)
: PrototypeHead(prototype_class), concentration_(config.concentration)
{
  means = register_buffer("means", means_);
  priors = register_buffer("priors", priors_);

  std::int64_t largest = 0;
  for (int c = 0; c < classes(); ++c) {
    largest = std::max(largest, range_of(c).second - range_of(c).first);
  }
  const std::int64_t count = classes();
  equal_counts_ = largest * count == prototypes();
  std::vector<std::int64_t> slots;
  for (std::int64_t c = 0; c < count; ++c) {
    for (std::int64_t m = 0; m < largest; ++m) {
      const auto [begin, end] = range_of(static_cast<int>(c));
      slots.push_back(begin + m < end ? begin + m : prototypes());
    }
  }
  slots_ = register_buffer("slots", torch::tensor(slots, torch::kInt64));
  class_priors = register_buffer("class_priors", torch::full({count}, 1.0 / count));
}

torch::Tensor GaussianHead::after_second_convolution(const torch::Tensor & x) const
{
  return unit_vectors(x);
}

torch::Tensor GaussianHead::similarity_maps(
  const torch::Tensor & features, const torch::Tensor & p) const
{
  const torch::Tensor f = features.flatten(2);  // [B, D, P]

  // -pi kappa |f - p|^2 = pi kappa (2 f.p - |f|^2 - |p|^2): one matrix product instead of the
  // differences [P, K, D]. |f|^2 is 1 but for a feature of length 0.
  const double scale = kPi * concentration_;
  const torch::Tensor p_squared = p.square().sum(-1, /*keepdim=*/true).mul(-scale);  // [K, 1]
  const torch::Tensor f_squared = f.square().sum(1, /*keepdim=*/true).mul(-scale);   // [B, 1, P]
  // In place, since [B, K, P] is the largest tensor of all. Rounding must not make a density larger
  // than its maximum.
  return torch::matmul(p * (2 * scale), f).add_(p_squared).add_(f_squared).clamp_max_(0);
}

torch::Tensor GaussianHead::log_likelihood_maps(
  const torch::Tensor & features, const std::optional<torch::Tensor> & prototypes) const
{
  return similarity_maps(features, prototypes ? means.index_select(0, *prototypes) : means);
}

torch::Tensor GaussianHead::activation(const torch::Tensor & log_likelihood) const
{
  return log_likelihood.exp();
}

torch::Tensor GaussianHead::contributions(const torch::Tensor & log_likelihood) const
{
  const torch::Tensor shares = log_terms(log_likelihood).softmax(2).flatten(1);
  if (equal_counts_) {
    return shares;
  }
  const torch::Tensor with_nothing =
    torch::empty({shares.size(0), prototypes() + 1}, shares.options());
  return with_nothing.index_copy(1, slots_, shares).slice(1, 0, prototypes());
}

torch::Tensor GaussianHead::class_logits(const torch::Tensor & log_likelihood) const
{
  return log_mixture(log_likelihood) + class_priors.log();
}

torch::Tensor GaussianHead::log_mixture(const torch::Tensor & log_likelihood) const
{
  return log_terms(log_likelihood).logsumexp(2);
}

torch::Tensor GaussianHead::log_terms(const torch::Tensor & log_likelihood) const
{
  torch::Tensor weighted = log_likelihood + priors.log();  // log pi_m h_m  [B, K]
  if (!equal_counts_) {
    const torch::Tensor nothing =
      torch::full_like(weighted.slice(1, 0, 1), -std::numeric_limits<double>::infinity());
    weighted = torch::cat({weighted, nothing}, 1).index_select(1, slots_);
  }
  return weighted.view({-1, classes(), slots_.size(0) / classes()});
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
