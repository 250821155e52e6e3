// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/learn/em.hpp"

#include <ATen/Parallel.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>

#include "mgproto_ros/error.hpp"

namespace mgproto
{
namespace
{

constexpr double kPi = 3.14159265358979323846;

// Adam's usual constants; the authors' too.
constexpr double kBeta1 = 0.9;
constexpr double kBeta2 = 0.999;
constexpr double kEpsilon = 1e-8;

/// Fewer features than this (as a sum of responsibilities) leave a mean of the closed form where it
/// is: their average would be rounding noise, and 0/0 in the end.
constexpr double kEmpty = 1e-6;

/// Classes are updated together in blocks of about so many numbers (16 classes of 800 x 64), so
/// that the passes over a block, two a loop, find it in the processor's cache, and the memory
/// needed does not grow with the number of classes. All 200 of CUB in one took 1.5 times as long.
constexpr std::int64_t kFeatureBlock = 819200;

/// |p_m - p_m'|^2 of means with their class's centre taken off, without which means close to each
/// other would lose their distance to rounding.  [Kc, M, M]
torch::Tensor squared_distances(const torch::Tensor & centred)
{
  const torch::Tensor squared = centred.square().sum(2);  // [Kc, M]
  return (squared.unsqueeze(2) + squared.unsqueeze(1) -
          2 * torch::bmm(centred, centred.transpose(1, 2)))
    .clamp_min(0);
}

torch::Tensor indices(const std::vector<std::int64_t> & classes, const torch::Device & device)
{
  return torch::tensor(classes, torch::kInt64).to(device);
}

/// A view [C, M, ...] of the head's [K, ...].
torch::Tensor by_class(const GaussianHead & head, const torch::Tensor & of_prototypes)
{
  std::vector<std::int64_t> shape = of_prototypes.sizes().vec();
  shape[0] /= head.classes();
  shape.insert(shape.begin(), head.classes());
  return of_prototypes.view(shape);
}

std::vector<std::int64_t> full_classes(const MemoryBank & bank)
{
  std::vector<std::int64_t> result;
  for (std::int64_t c = 0; c < bank.classes(); ++c) {
    if (bank.full(c)) {
      result.push_back(c);
    }
  }
  return result;
}

}  // namespace

torch::Tensor smoothed(const torch::Tensor & responsibility, double alpha)
{
  // The responsibilities of a feature sum to 1.
  return (responsibility + alpha).div_(1 + alpha * static_cast<double>(responsibility.size(1)));
}

torch::Tensor mean_gradient(
  const Assignments & assigned, const torch::Tensor & means, double concentration,
  double diversity_weight)
{
  // d/dp_m of -1/N sum_n gamma_nm (-pi kappa |f_n - p_m|^2)
  torch::Tensor gradient =
    (assigned.count * means - assigned.sum) * (2 * kPi * concentration / assigned.features);
  const std::int64_t M = means.size(1);
  if (M > 1 && diversity_weight != 0) {
    // d/dp_m of 1/(M(M-1)) sum_{m != m'} exp(-|p_m - p_m'|^2); a pair stands in the sum twice, and
    // the diagonal cancels itself.
    const torch::Tensor centred = means - means.mean(1, /*keepdim=*/true);
    const torch::Tensor closeness = (-squared_distances(centred)).exp();  // [Kc, M, M]
    gradient =
      gradient - (closeness.sum(2, /*keepdim=*/true) * centred - torch::bmm(closeness, centred)) *
                   (4 * diversity_weight / static_cast<double>(M * (M - 1)));
  }
  return gradient;
}

ModifiedEm::ModifiedEm(const EmConfig & config, const GaussianHead & head, std::uint64_t seed)
: config_(config), seed_(seed), prototypes_(head.prototypes() / head.classes())
{
  for (int c = 0; c < head.classes(); ++c) {
    if (head.range_of(c).first != c * prototypes_) {
      throw Error("training needs equally many prototypes in every class");
    }
  }
  const torch::Tensor means = by_class(head, head.means);
  adam_ = {
    torch::zeros({head.classes()}, torch::kInt64), torch::zeros_like(means),
    torch::zeros_like(means)};
  seeded_ = torch::zeros({head.classes()}, torch::kInt64);
}

void ModifiedEm::seed_full_classes(GaussianHead & head, const MemoryBank & bank)
{
  if (config_.init != EmConfig::Init::kmeans) {
    return;
  }
  const torch::NoGradGuard no_grad;
  auto * seeded = seeded_.data_ptr<std::int64_t>();
  for (std::int64_t c = 0; c < bank.classes(); ++c) {
    if (seeded[c] == 0 && bank.full(c)) {
      by_class(head, head.means)[c].copy_(kmeans_seeds(bank.contents(c), prototypes_, seed_, c));
      by_class(head, head.priors)[c].fill_(1.0 / static_cast<double>(prototypes_));
      seeded[c] = 1;
    }
  }
}

std::vector<std::int64_t> ModifiedEm::update(
  GaussianHead & head, MemoryBank & bank, double learning_rate)
{
  if (config_.wait_for_all && !bank.all_full()) {
    return {};
  }
  const torch::NoGradGuard no_grad;
  seed_full_classes(head, bank);
  std::vector<std::int64_t> classes;
  for (const std::int64_t c : bank.take_touched()) {
    if (bank.full(c)) {
      classes.push_back(c);
    }
  }
  const std::int64_t class_size = bank.capacity() * head.means.size(1);  // N D
  const auto at_once = std::max<std::int64_t>(1, kFeatureBlock / class_size);
  const auto count = static_cast<std::int64_t>(classes.size());
  const auto update_blocks = [&](std::int64_t first, std::int64_t last) {
    const torch::NoGradGuard in_this_thread;
    for (std::int64_t block = first; block < last; ++block) {
      const std::int64_t end = std::min(count, (block + 1) * at_once);
      update_classes(
        head, bank, {classes.begin() + block * at_once, classes.begin() + end}, learning_rate);
    }
  };
  const std::int64_t blocks = (count + at_once - 1) / at_once;
  if (head.means.is_cpu()) {
    at::parallel_for(0, blocks, /*grain_size=*/1, update_blocks);
  } else {
    update_blocks(0, blocks);
  }
  return classes;
}

void ModifiedEm::update_classes(
  GaussianHead & head, const MemoryBank & bank, const std::vector<std::int64_t> & classes,
  double learning_rate)
{
  const torch::Tensor on_cpu = indices(classes, torch::kCPU);
  const torch::Tensor index = on_cpu.to(head.means.device());
  torch::Tensor all_means = by_class(head, head.means);        // [C, M, D]
  torch::Tensor all_priors = by_class(head, head.priors);      // [C, M]
  const torch::Tensor features = bank.full_contents(classes);  // [Kc, N, D]
  torch::Tensor means = all_means.index_select(0, index);      // [Kc, M, D]
  torch::Tensor priors = all_priors.index_select(0, index);    // [Kc, M]
  AdamState adam{
    adam_.steps.index_select(0, on_cpu), adam_.average.index_select(0, index),
    adam_.average_sq.index_select(0, index)};
  const double kappa = head.concentration();

  for (int loop = 0; loop < config_.loops; ++loop) {
    // E-step
    const torch::Tensor gamma = smoothed(
      responsibilities(features, means, priors, kappa * config_.sharpness), config_.smoothing);
    const Assignments assigned = assignments(features, gamma);
    // M-step, means
    step_means(means, assigned, kappa, adam, learning_rate);
    // M-step, priors: 1/N sum_n gamma_nm, into their moving average
    const torch::Tensor new_priors = assigned.count.squeeze(2) / assigned.features;
    priors = config_.ema * priors + (1 - config_.ema) * new_priors;
  }

  all_means.index_copy_(0, index, means);
  all_priors.index_copy_(0, index, priors);
  adam_.steps.index_copy_(0, on_cpu, adam.steps);
  adam_.average.index_copy_(0, index, adam.average);
  adam_.average_sq.index_copy_(0, index, adam.average_sq);
}

void ModifiedEm::step_means(
  torch::Tensor & means, const Assignments & assigned, double concentration, AdamState & adam,
  double learning_rate) const
{
  if (config_.optimizer == EmConfig::Optimizer::closed_form) {
    means = torch::where(assigned.count > kEmpty, assigned.sum / assigned.count, means);
    return;
  }
  const torch::Tensor gradient =
    mean_gradient(assigned, means, concentration, config_.diversity_weight);
  if (config_.optimizer == EmConfig::Optimizer::sgd) {
    means = means - learning_rate * gradient;
    return;
  }
  adam.steps = adam.steps + 1;
  adam.average = kBeta1 * adam.average + (1 - kBeta1) * gradient;
  adam.average_sq = kBeta2 * adam.average_sq + (1 - kBeta2) * gradient.square();
  const auto correction = [&](double beta) {  // of a moving average that began at 0  [Kc, 1, 1]
    return (1 - torch::pow(beta, adam.steps.to(torch::kFloat64))).view({-1, 1, 1}).to(means);
  };
  means = means - learning_rate * (adam.average / correction(kBeta1)) /
                    ((adam.average_sq / correction(kBeta2)).sqrt() + kEpsilon);
}

MixtureHealth ModifiedEm::health(const GaussianHead & head, const MemoryBank & bank) const
{
  const std::vector<std::int64_t> classes = full_classes(bank);
  MixtureHealth health;
  health.classes = static_cast<std::int64_t>(classes.size());
  if (classes.empty()) {
    return health;
  }
  const torch::NoGradGuard no_grad;
  const torch::Tensor index = indices(classes, head.means.device());
  const torch::Tensor features = bank.full_contents(classes);                       // [Kc, N, D]
  const torch::Tensor means = by_class(head, head.means).index_select(0, index);    // [Kc, M, D]
  const torch::Tensor priors = by_class(head, head.priors).index_select(0, index);  // [Kc, M]
  const double kappa = head.concentration();
  const std::int64_t M = prototypes_;

  if (M > 1) {
    const torch::Tensor distance =
      (means.unsqueeze(2) - means.unsqueeze(1)).norm(2, 3);  // [Kc, M, M], 0 on the diagonal
    health.mean_pairwise_distance =
      distance.sum({1, 2}).mean().item<double>() / static_cast<double>(M * (M - 1));
  }
  health.mean_largest_responsibility =
    responsibilities(features, means, priors, kappa * config_.sharpness)
      .amax(1)
      .mean()
      .item<double>();
  const torch::Tensor log_density = log_joint(features, means, priors, kappa).logsumexp(1) -
                                    features.square().sum(2) * (kPi * kappa);  // [Kc, N]
  health.log_likelihood = log_density.mean().item<double>();
  const torch::Tensor nearest =
    log_joint(features, means, torch::ones_like(priors), kappa).argmax(2);  // [Kc, M]
  const torch::Tensor sorted = std::get<0>(nearest.sort(1));
  const torch::Tensor changes = sorted.slice(1, 1) != sorted.slice(1, 0, M - 1);
  health.distinct_nearest_features = 1 + changes.sum().item<double>() / health.classes;
  health.effective_prototypes = (-priors.xlogy(priors).sum(1)).exp().mean().item<double>();
  health.mean_norm = means.norm(2, 2).mean().item<double>();
  return health;
}

State ModifiedEm::state() const
{
  return {
    {"adam.steps", adam_.steps},
    {"adam.average", adam_.average},
    {"adam.average_sq", adam_.average_sq},
    {"seeded", seeded_}};
}

void ModifiedEm::restore(const State & from) { restore_state("em", state(), from); }

}  // namespace mgproto
