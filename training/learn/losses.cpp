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

/// Stands for log 0 where a sum has no term left: unlike -inf it has a gradient, which is 0.
constexpr double kNothing = std::numeric_limits<float>::lowest();

/// True at [b, labels[b]]. Always C columns, also for two classes.
torch::Tensor is_true_class(const torch::Tensor & labels, std::int64_t classes)
{
  return torch::one_hot(labels, classes).to(torch::kBool);  // [B, C]
}

/// Prototypes of each image's own class [B, M, D].
torch::Tensor own_prototypes(const PrototypeHead & head, const torch::Tensor & labels)
{
  const std::int64_t C = head.classes();
  if (head.prototypes() % C != 0 || head.range_of(0).second != head.prototypes() / C) {
    throw Error("training needs equally many prototypes in every class");
  }
  return head.means.view({C, head.prototypes() / C, -1}).index_select(0, labels);
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
  const PrototypeHead & head, const torch::Tensor & features, const torch::Tensor & similarity,
  const torch::Tensor & labels, std::int64_t levels)
{
  const torch::Tensor maps =
    head.similarity_maps(features, own_prototypes(head, labels));  // [B, M, P]
  const torch::Tensor level = top_levels(maps, levels).first;      // H^(t) [B, M, T]
  const std::int64_t T = level.size(2);
  if (T < 2) {
    return torch::zeros({}, features.options());
  }
  // For t = 2 .. T, all prototypes at their best but for those of the true class  [B, T - 1, K].
  const std::int64_t B = level.size(0);
  const std::int64_t M = level.size(1);
  const torch::Tensor own = labels.unsqueeze(1) * M + torch::arange(M, labels.options());  // [B, M]
  const torch::Tensor mined =
    similarity.unsqueeze(1)
      .expand({B, T - 1, -1})
      .scatter(2, own.unsqueeze(1).expand({B, T - 1, M}), level.slice(2, 1).transpose(1, 2));

  const torch::Tensor logits = head.class_logits(mined.flatten(0, 1));  // [B (T - 1), C]
  return torch::nn::functional::cross_entropy(logits, labels.repeat_interleave(T - 1));
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
  losses.logits = densities.log_posterior;
  losses.ce = cross_entropy_loss(densities, labels);
  losses.total = losses.ce;
  if (with_mining && config.mining_weight != 0) {
    losses.mining =
      mining_loss(head, features, densities.log_likelihood, labels, config.mining_levels);
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
