// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/learn/closed_form.hpp"

#include <torch/torch.h>

#include <algorithm>

#include "training/learn/em.hpp"

namespace mgproto
{
namespace
{

constexpr std::int64_t kCandidatesPerPrototype = 3;
constexpr double kSharpness = 64;  // kappa of EM's E-step: nearly every feature has one prototype
constexpr int kEmLoops = 20;
constexpr std::int64_t kImagesAtOnce = 32;

/// Of a class, its features [n, D] that look like it rather than like another class; all of them if
/// those would be too few.
torch::Tensor own_features(
  const torch::Tensor & features /*[n, D]*/, const torch::Tensor & class_means,
  std::int64_t class_id, std::int64_t fewest)
{
  const torch::Tensor u = unit_vectors(features.slice(1, 0, class_means.size(1)));
  const torch::Tensor own =
    torch::matmul(u, class_means.t()).argmax(1).eq(class_id).nonzero().squeeze(1);
  return own.size(0) >= fewest ? features.index_select(0, own) : features;
}

/// Centres of the features [count, D], unit vectors.
torch::Tensor centres(
  const torch::Tensor & features, std::int64_t count, std::uint64_t seed, std::int64_t class_id)
{
  torch::Tensor means = kmeans_seeds(features, count, seed, class_id).unsqueeze(0);  // [1, M, D]
  torch::Tensor priors = torch::full({1, count}, 1.0 / static_cast<double>(count));
  const torch::Tensor f = features.unsqueeze(0);  // [1, n, D]
  for (int loop = 0; loop < kEmLoops; ++loop) {
    const Assignments assigned = assignments(f, responsibilities(f, means, priors, kSharpness));
    means =
      torch::where(assigned.count > 0, unit_vectors(assigned.sum.squeeze(0)).unsqueeze(0), means);
    priors = (assigned.count.squeeze(2) / assigned.features).clamp_min(1e-6);
  }
  return means.squeeze(0);
}

/// The cosine of every prototype [K, D] and the place of each image most like it [N, K].
torch::Tensor best_cosines(const torch::Tensor & features /*[N, D, P]*/, const torch::Tensor & p)
{
  std::vector<torch::Tensor> rows;
  for (std::int64_t n = 0; n < features.size(0); n += kImagesAtOnce) {
    rows.push_back(torch::matmul(p, features.slice(0, n, n + kImagesAtOnce)).amax(2));
  }
  return torch::cat(rows);
}

/// d' of each column [N, K]: how far apart the images of the class and the others are.
torch::Tensor told_apart(const torch::Tensor & cosines, const torch::Tensor & is_own /*[N]*/)
{
  const torch::Tensor own = cosines.index({is_own});
  const torch::Tensor others = cosines.index({is_own.logical_not()});
  const torch::Tensor variance = (own.var(0, false) + others.var(0, false)) / 2;
  return (own.mean(0) - others.mean(0)) / (variance + 1e-12).sqrt();
}

}  // namespace

PrototypeSearch find_prototypes(
  GaussianHead & head, const LocalFeatures & local, const torch::Tensor & class_means,
  std::uint64_t seed)
{
  const torch::NoGradGuard no_grad;
  const torch::Tensor labels = torch::tensor(local.labels, torch::kInt64);
  PrototypeSearch search;
  double kept_sum = 0;
  double all_sum = 0;
  for (int c = 0; c < head.classes(); ++c) {
    const auto [begin, end] = head.range_of(c);
    const std::int64_t M = end - begin;
    const torch::Tensor is_own = labels.eq(c);
    const torch::Tensor of_class = local.features.index({is_own}).permute({0, 2, 1}).reshape(
      {-1, local.features.size(1)});  // [n, D]
    const std::int64_t count = M * kCandidatesPerPrototype;
    const torch::Tensor candidates =
      centres(own_features(of_class, class_means, c, count), count, seed, c);
    const torch::Tensor apart = told_apart(best_cosines(local.features, candidates), is_own);
    const torch::Tensor chosen = std::get<1>(apart.topk(M));
    const torch::Tensor of_chosen = apart.index_select(0, chosen);
    head.means.slice(0, begin, end).copy_(candidates.index_select(0, chosen));
    // Never 0: its logarithm is taken.
    const torch::Tensor weight = of_chosen.clamp_min(0) + 1e-3;
    head.priors.slice(0, begin, end).copy_(weight / weight.sum());
    search.candidates += count;
    search.kept += M;
    kept_sum += of_chosen.sum().item<double>();
    all_sum += apart.sum().item<double>();
  }
  search.told_apart_kept = kept_sum / static_cast<double>(search.kept);
  search.told_apart_dropped = (all_sum - kept_sum) / static_cast<double>(std::max<std::int64_t>(
                                                       1, search.candidates - search.kept));
  return search;
}

}  // namespace mgproto
