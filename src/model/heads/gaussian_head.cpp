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
: PrototypeHead(prototype_class), config_(config)
{
  means = register_buffer("means", means_);
  priors = register_buffer("priors", priors_);
  const std::int64_t count = classes();
  if (config.whole > 0) {
    const std::int64_t numbers = config.whole_dim + (config.taught > 0 ? 1 : 0);
    wholes = register_buffer("wholes", unit_vectors(torch::rand({count, numbers})));
  }

  std::int64_t largest = 0;
  for (int c = 0; c < classes(); ++c) {
    largest = std::max(largest, range_of(c).second - range_of(c).first);
  }
  columns_are_slots_ = largest * count == prototypes() && !wholes.defined();
  const std::int64_t columns = prototypes() + (wholes.defined() ? count : 0);
  std::vector<std::int64_t> slots;
  for (std::int64_t c = 0; c < count; ++c) {
    const auto [begin, end] = range_of(static_cast<int>(c));
    for (std::int64_t m = 0; m < largest; ++m) {
      slots.push_back(begin + m < end ? begin + m : columns);
    }
    if (wholes.defined()) {
      slots.push_back(prototypes() + c);
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
  const double scale = kPi * config_.concentration;
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

torch::Tensor GaussianHead::similarity(
  const torch::Tensor & maps, const torch::Tensor & whole) const
{
  const torch::Tensor of_parts = maps.amax(2);
  return wholes.defined() ? torch::cat({of_parts, whole_likelihood(whole)}, 1) : of_parts;
}

torch::Tensor GaussianHead::whole_likelihood(const torch::Tensor & whole) const
{
  if (!whole.defined()) {
    throw Error("the head looks at images as a whole, and none was given");
  }
  const torch::Tensor u = whole.slice(1, 0, whole_dim());  // [B, whole_dim], unit vectors
  const torch::Tensor of_all =
    similarity_maps(u.unsqueeze(2), wholes.slice(1, 0, whole_dim())).squeeze(2);
  if (config_.taught == 0) {
    return of_all;
  }
  // A taught class has one number more, v. Where one of them fits better than every other class, all are
  // compared as unit vectors of (u, v), in which the others fit less; elsewhere they stay as they are.
  const std::int64_t first = classes() - config_.taught;
  const torch::Tensor v = whole.slice(1, whole_dim());  // [B, T]
  const torch::Tensor cosine = u.matmul(wholes.slice(1, 0, whole_dim()).t());
  const torch::Tensor before = cosine.slice(1, 0, first);
  const torch::Tensor taught =
    cosine.slice(1, first) + v * wholes.slice(0, first).select(1, whole_dim());
  const auto [best, which] = taught.max(1, /*keepdim=*/true);
  const torch::Tensor wins = best > before.amax(1, /*keepdim=*/true);  // [B, 1]
  const torch::Tensor length = (1 + v.gather(1, which).square()).sqrt();
  const auto likelihood = [&](const torch::Tensor & cosines) {
    return ((cosines - 1) * (2 * kPi * config_.concentration)).clamp_max(0);
  };
  return torch::cat(
    {torch::where(wins, likelihood(before / length), of_all.slice(1, 0, first)),
     likelihood(torch::where(wins, taught / length, taught))},
    1);
}

torch::Tensor GaussianHead::by_class(const torch::Tensor & columns, double nothing) const
{
  torch::Tensor slots = columns;  // [B, columns]
  if (!columns_are_slots_) {
    const torch::Tensor behind = torch::full_like(columns.slice(1, 0, 1), nothing);
    slots = torch::cat({columns, behind}, 1).index_select(1, slots_);
  }
  return slots.view({-1, classes(), slots_.size(0) / classes()});
}

torch::Tensor GaussianHead::weights() const
{
  torch::Tensor of_parts = priors;
  if (config_.combine == HeadConfig::Combine::product) {
    const torch::Tensor class_of =
      torch::tensor(prototype_class(), torch::kInt64).to(priors.device());
    const torch::Tensor sum =
      torch::zeros({classes()}, priors.options()).index_add(0, class_of, priors);
    of_parts = priors / sum.index_select(0, class_of);
  }
  if (!wholes.defined()) {
    return of_parts;
  }
  return torch::cat(
    {of_parts * (1 - config_.whole), torch::full({classes()}, config_.whole, priors.options())});
}

torch::Tensor GaussianHead::contributions(const torch::Tensor & log_likelihood) const
{
  torch::Tensor shares;  // [B, C slots]
  if (config_.combine == HeadConfig::Combine::product) {
    // log h is -2 pi kappa for a feature that has nothing to do with the prototype, at right angles.
    const torch::Tensor above = (log_likelihood + 2 * kPi * config_.concentration).clamp_min(0);
    const torch::Tensor added = by_class(above * weights(), 0);  // [B, C, slots]
    shares = (added / added.sum(2, /*keepdim=*/true).clamp_min(1e-12)).flatten(1);
  } else {
    shares = by_class(log_likelihood + weights().log(), -std::numeric_limits<double>::infinity())
               .softmax(2)
               .flatten(1);
  }
  if (columns_are_slots_) {
    return shares;
  }
  const std::int64_t columns = log_likelihood.size(1);
  const torch::Tensor with_nothing = torch::empty({shares.size(0), columns + 1}, shares.options());
  return with_nothing.index_copy(1, slots_, shares).slice(1, 0, columns);
}

torch::Tensor GaussianHead::class_logits(const torch::Tensor & log_likelihood) const
{
  return log_class_density(log_likelihood) + class_priors.log();
}

torch::Tensor GaussianHead::log_class_density(const torch::Tensor & log_likelihood) const
{
  if (config_.combine == HeadConfig::Combine::product) {
    return by_class(log_likelihood * weights(), 0).sum(2);
  }
  return by_class(log_likelihood + weights().log(), -std::numeric_limits<double>::infinity())
    .logsumexp(2);
}

void GaussianHead::apply_bayes(Densities & densities) const
{
  const torch::Tensor log_joint = densities.log_class_density + class_priors.log();  // p(x|c) p(c)
  densities.log_density = log_joint.logsumexp(1);
  densities.log_posterior = log_joint - densities.log_density.unsqueeze(1);
}

Densities GaussianHead::forward(const torch::Tensor & features, const torch::Tensor & whole) const
{
  Densities densities;
  std::tie(densities.log_likelihood, densities.position) =
    log_likelihood_maps(features).max(2);  // h = max over positions
  if (wholes.defined()) {
    densities.log_likelihood = torch::cat({densities.log_likelihood, whole_likelihood(whole)}, 1);
  }
  densities.log_class_density = log_class_density(densities.log_likelihood);  // p(x|c)
  apply_bayes(densities);                                                     // p(c|x), p(x)
  return densities;
}

}  // namespace mgproto
