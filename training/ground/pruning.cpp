// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/ground/pruning.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "mgproto_ros/error.hpp"
#include "model/heads/make_head.hpp"
#include "model/shared_network.hpp"

namespace mgproto
{

namespace
{

/// What a head knows of its classes beside their prototypes.
void copy_classes(const GaussianHead & from, GaussianHead & to)
{
  to.class_priors.copy_(from.class_priors);
  if (from.wholes.defined()) {
    to.wholes.copy_(from.wholes);
  }
}

}  // namespace

void check_keep(int keep)
{
  if (keep < 1) {
    throw ConfigError("keep", "a class needs at least one prototype");
  }
}

Pruning most_important(const GaussianHead & head, int keep)
{
  check_keep(keep);
  std::vector<std::int64_t> kept;
  for (int c = 0; c < head.classes(); ++c) {
    const auto [begin, end] = head.range_of(c);
    std::vector<std::int64_t> order(end - begin);
    std::iota(order.begin(), order.end(), begin);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      return head.priors[a].item<float>() > head.priors[b].item<float>();
    });
    order.resize(std::min<std::size_t>(order.size(), keep));
    std::sort(order.begin(), order.end());
    kept.insert(kept.end(), order.begin(), order.end());
  }
  return {kept, head.priors.index_select(0, torch::tensor(kept, torch::kInt64))};
}

std::shared_ptr<GaussianHead> pruned_head(
  const GaussianHead & head, const Pruning & pruning, const HeadConfig & config, bool renormalize)
{
  const torch::NoGradGuard no_grad;
  const torch::Tensor index = torch::tensor(pruning.kept, torch::kInt64);
  std::vector<int> prototype_class;
  for (const std::int64_t k : pruning.kept) {
    prototype_class.push_back(head.prototype_class()[k]);
  }
  auto pruned = std::make_shared<GaussianHead>(
    head.means.index_select(0, index), pruning.priors.clone(), prototype_class, config);
  copy_classes(head, *pruned);
  if (renormalize) {
    for (int c = 0; c < pruned->classes(); ++c) {
      const auto [begin, end] = pruned->range_of(c);
      torch::Tensor priors = pruned->priors.slice(0, begin, end);
      priors.div_(priors.sum());
    }
  }
  return pruned;
}

std::shared_ptr<Network> with_head(
  Network & network, std::shared_ptr<Head> head, const std::vector<std::int64_t> & kept)
{
  auto result = with_shared_tensors(network, network.config(), std::move(head));
  if (Familiarity * familiarity = result->familiarity(); familiarity && !kept.empty()) {
    const torch::Tensor index = torch::tensor(kept, torch::kInt64);
    const Familiarity & whole = *network.familiarity();
    familiarity->part_mean.set_data(whole.part_mean.index_select(0, index));
    familiarity->part_deviation.set_data(whole.part_deviation.index_select(0, index));
  }
  return result;
}

std::shared_ptr<Network> with_copied_head(Network & network)
{
  const torch::NoGradGuard no_grad;
  const PrototypeHead * prototypes = network.prototype_head();
  auto result = with_shared_tensors(
    network, network.config(),
    make_head(
      network.config().head, network.head().classes(),
      prototypes != nullptr ? prototypes->prototype_class() : std::vector<int>()));
  const std::map<std::string, torch::Tensor> source = tensors_by_name(network);
  for (auto & [name, tensor] : tensors_by_name(*result)) {
    if (name.rfind("head.", 0) == 0) {
      tensor.copy_(source.at(name));
    }
  }
  return result;
}

std::shared_ptr<Network> with_concentration(Network & network, double concentration)
{
  const torch::NoGradGuard no_grad;
  const GaussianHead & head = network.gaussian_head();
  ModelConfig config = network.config();
  config.head.concentration = concentration;
  auto same =
    std::make_shared<GaussianHead>(head.means, head.priors, head.prototype_class(), config.head);
  copy_classes(head, *same);
  return with_shared_tensors(network, config, std::move(same));
}

Manifest pruned_manifest(const Manifest & manifest, const std::vector<std::int64_t> & kept)
{
  Manifest result = manifest;
  result.stage = Stage::pruned;
  result.calibration.reset();
  if (result.untaught) {
    result.untaught->calibration.reset();
  }
  result.prototypes.clear();
  if (!manifest.prototypes.empty()) {
    for (const std::int64_t k : kept) {
      result.prototypes.push_back(manifest.prototypes.at(k));
    }
  }
  return result;
}

}  // namespace mgproto
