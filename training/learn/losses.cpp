// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/learn/losses.hpp"

#include <torch/torch.h>

#include <limits>

#include "mgproto_ros/error.hpp"

namespace mgproto
{
namespace
{

constexpr double kPi = 3.14159265358979323846;

/// Stands for log 0 where a sum has no term left: unlike -inf it has a gradient, which is 0.
constexpr double kNothing = std::numeric_limits<float>::lowest();

/// True at [b, labels[b]]. Always C columns, also for two classes.
torch::Tensor is_true_class(const torch::Tensor & labels, std::int64_t classes)
{
  return torch::one_hot(labels, classes).to(torch::kBool);  // [B, C]
}

/// log N(f; p, Sigma) at every position, for the prototypes of each image's own class alone.
torch::Tensor true_class_maps(
  const GaussianHead & head, const torch::Tensor & features, const torch::Tensor & labels)
{
  const std::int64_t C = head.classes();
  if (head.prototypes() % C != 0 || head.range_of(0).second != head.prototypes() / C) {
    throw Error("training needs equally many prototypes in every class");
  }
  const torch::Tensor f = features.flatten(2);  // [B, D, P]
  const torch::Tensor p =
    head.means.view({C, head.prototypes() / C, -1}).index_select(0, labels);  // [B, M, D]

  const double scale = kPi * head.concentration();
  const torch::Tensor p_squared = p.square().sum(2, /*keepdim=*/true).mul(-scale);  // [B, M, 1]
  const torch::Tensor f_squared = f.square().sum(1, /*keepdim=*/true).mul(-scale);  // [B, 1, P]
  return (torch::bmm(p * (2 * scale), f) + p_squared + f_squared).clamp_max(0);     // [B, M, P]
}

/// 1/sqrt(|x|^2 + eps), not 1/max(|x|, eps): the gradient at a vector of length 0 stays moderate.
torch::Tensor unit_rows(const torch::Tensor & rows)
{
  return rows * (rows.square().sum(1, /*keepdim=*/true) + 1e-12).rsqrt();
}

/// log(1 + sum over the batch of exp(s)), the sum being over the entries chosen. [B, C] -> [C]
torch::Tensor log_one_plus_sum(const torch::Tensor & s, const torch::Tensor & chosen)
{
  return torch::softplus(s.masked_fill(chosen.logical_not(), kNothing).logsumexp(0));
}

}  // namespace

torch::Tensor cross_entropy_loss(const Densities & densities, const torch::Tensor & labels)
{
  return torch::nll_loss(densities.log_posterior, labels);
}

torch::Tensor mining_loss(
  const GaussianHead & head, const torch::Tensor & features, const Densities & densities,
  const torch::Tensor & labels, std::int64_t levels)
{
  const torch::Tensor maps = true_class_maps(head, features, labels);  // [B, M, P]
  torch::Tensor log_likelihood = top_levels(maps, levels).first;       // log H^(t) [B, M, T]
  log_likelihood = log_likelihood.slice(2, 1);                         // t = 2 ..  [B, M, T - 1]
  if (log_likelihood.size(2) == 0) {
    return torch::zeros({}, features.options());
  }
  const torch::Tensor log_priors =
    head.priors.view({head.classes(), -1}).index_select(0, labels).log().unsqueeze(2);  // [B, M, 1]
  const torch::Tensor log_class_priors = head.class_priors.log();                       // [C]

  // log p(y) sum_m pi_m H_m^(t) of the true class, and log sum p(x|c) p(c) of all the wrong ones.
  const torch::Tensor right = (log_likelihood + log_priors).logsumexp(1) +
                              log_class_priors.index_select(0, labels).unsqueeze(1);  // [B, T - 1]
  const torch::Tensor wrong = (densities.log_class_density + log_class_priors)
                                .masked_fill(is_true_class(labels, head.classes()), kNothing)
                                .logsumexp(1, /*keepdim=*/true);  // [B, 1]

  // CE = -log(e^right / (e^right + e^wrong))
  return torch::softplus(wrong - right).mean();
}

torch::Tensor proxy_anchor_loss(
  const torch::Tensor & embeddings, const torch::Tensor & proxies, const torch::Tensor & labels,
  double margin, double alpha)
{
  const torch::Tensor cosine =
    torch::matmul(unit_rows(embeddings), unit_rows(proxies).t());         // [B, C]
  const torch::Tensor positive = is_true_class(labels, proxies.size(0));  // [B, C]
  const torch::Tensor classes_present = positive.any(0).sum();

  // A class without an entry contributes log(1 + 0) = 0.
  const torch::Tensor pull = log_one_plus_sum(-alpha * (cosine - margin), positive);
  const torch::Tensor push = log_one_plus_sum(alpha * (cosine + margin), positive.logical_not());
  return pull.sum() / classes_present + push.mean();
}

Losses network_losses(
  const GaussianHead & head, const torch::Tensor & features, const Densities & densities,
  const torch::Tensor & embeddings, const torch::Tensor & proxies, const torch::Tensor & labels,
  const LossConfig & config, bool with_mining)
{
  Losses losses;
  losses.ce = cross_entropy_loss(densities, labels);
  losses.mining = torch::zeros({}, features.options());
  losses.aux = torch::zeros({}, features.options());
  losses.total = losses.ce;
  if (with_mining && config.mining_weight != 0) {
    losses.mining = mining_loss(head, features, densities, labels, config.mining_levels);
    losses.total = losses.total + config.mining_weight * losses.mining;
  }
  if (config.aux_weight != 0) {
    losses.aux =
      proxy_anchor_loss(embeddings, proxies, labels, config.aux_margin, config.aux_alpha);
    losses.total = losses.total + config.aux_weight * losses.aux;
  }
  return losses;
}

}  // namespace mgproto
