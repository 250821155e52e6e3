// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/ground/patch_agreement.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <numeric>

namespace mgproto
{
namespace
{

constexpr int kPure = 3;  // of the neighbours

std::vector<std::int64_t> prototypes_of(const GaussianHead & head, int class_id)
{
  const auto [begin, end] = head.range_of(class_id);
  std::vector<std::int64_t> prototypes(end - begin);
  std::iota(prototypes.begin(), prototypes.end(), begin);
  return prototypes;
}

/// The two of them that differ least, the one with the larger prior first.
std::pair<std::int64_t, std::int64_t> most_alike(
  const std::vector<std::int64_t> & prototypes, const PatchAgreement & agreement,
  const std::vector<float> & priors)
{
  std::pair<std::int64_t, std::int64_t> best{prototypes[0], prototypes[1]};
  for (std::size_t i = 0; i < prototypes.size(); ++i) {
    for (std::size_t j = i + 1; j < prototypes.size(); ++j) {
      if (
        agreement.difference(prototypes[i], prototypes[j]) <
        agreement.difference(best.first, best.second)) {
        best = {prototypes[i], prototypes[j]};
      }
    }
  }
  if (priors[best.second] > priors[best.first]) {
    std::swap(best.first, best.second);
  }
  return best;
}

}  // namespace

PatchAgreement::PatchAgreement(const GaussianHead & head)
: prototype_class_(head.prototype_class()), nearest_(head.prototypes())
{
  for (int c = 0; c < head.classes(); ++c) {
    const auto [begin, end] = head.range_of(c);
    begin_.push_back(begin);
    differences_.push_back(torch::zeros({end - begin, end - begin}, torch::kFloat64));
  }
}

void PatchAgreement::add(const torch::Tensor & log_likelihood, std::int64_t label)
{
  const torch::Tensor values = log_likelihood.contiguous();
  for (std::size_t k = 0; k < nearest_.size(); ++k) {
    const float value = values.data_ptr<float>()[k];
    auto & nearest = nearest_[k];
    // Behind its equals: of two equal patches the first one seen stays in front.
    const auto place = std::upper_bound(
      nearest.begin(), nearest.end(), value,
      [](float one, const auto & other) { return one > other.first; });
    nearest.insert(place, {value, static_cast<int>(label)});
    if (nearest.size() > kNeighbours) {
      nearest.pop_back();
    }
  }
  const torch::Tensor likelihood = values.to(torch::kFloat64).exp();
  for (std::size_t c = 0; c < begin_.size(); ++c) {
    const torch::Tensor of_class =
      likelihood.slice(0, begin_[c], begin_[c] + differences_[c].size(0));
    differences_[c] += (of_class.unsqueeze(0) - of_class.unsqueeze(1)).square();
  }
}

int PatchAgreement::purity(std::int64_t prototype) const
{
  const auto & nearest = nearest_.at(prototype);
  return static_cast<int>(std::count_if(nearest.begin(), nearest.end(), [&](const auto & patch) {
    return patch.second == prototype_class_[prototype];
  }));
}

double PatchAgreement::difference(std::int64_t a, std::int64_t b) const
{
  const int c = prototype_class_.at(a);
  return differences_[c][a - begin_[c]][b - begin_[c]].item<double>();
}

PatchAgreement patch_agreement(Network & network, Loader & loader, const Progress & progress)
{
  PatchAgreement agreement(network.gaussian_head());
  for_each_batch(network, loader, progress, [&](const BatchOutputs & outputs) {
    for (int b = 0; b < outputs.batch().count; ++b) {
      agreement.add(outputs.similarity()[b], outputs.batch().labels[b]);
    }
  });
  return agreement;
}

Pruning purest(const GaussianHead & head, const PatchAgreement & agreement)
{
  std::vector<std::int64_t> kept;
  for (int c = 0; c < head.classes(); ++c) {
    const std::vector<std::int64_t> prototypes = prototypes_of(head, c);
    const std::size_t before = kept.size();
    std::copy_if(
      prototypes.begin(), prototypes.end(), std::back_inserter(kept),
      [&](std::int64_t k) { return agreement.purity(k) >= kPure; });
    if (kept.size() == before) {
      kept.push_back(*std::max_element(
        prototypes.begin(), prototypes.end(),
        [&](std::int64_t a, std::int64_t b) { return agreement.purity(a) < agreement.purity(b); }));
    }
  }
  return {kept, head.priors.index_select(0, torch::tensor(kept, torch::kInt64))};
}

Pruning merged(const GaussianHead & head, const PatchAgreement & agreement, int keep)
{
  check_keep(keep);
  const torch::Tensor before = head.priors.contiguous();
  std::vector<float> priors(before.data_ptr<float>(), before.data_ptr<float>() + before.numel());
  Pruning pruning;
  std::vector<float> kept_priors;
  for (int c = 0; c < head.classes(); ++c) {
    std::vector<std::int64_t> prototypes = prototypes_of(head, c);
    while (prototypes.size() > static_cast<std::size_t>(keep)) {
      const auto [stays, goes] = most_alike(prototypes, agreement, priors);
      priors[stays] += priors[goes];
      prototypes.erase(std::find(prototypes.begin(), prototypes.end(), goes));
    }
    for (const std::int64_t k : prototypes) {
      pruning.kept.push_back(k);
      kept_priors.push_back(priors[k]);
    }
  }
  pruning.priors = torch::tensor(kept_priors);
  return pruning;
}

std::vector<ComparedPruning> compared_prunings(
  const GaussianHead & head, const std::vector<int> & keep,
  const std::optional<PatchAgreement> & agreement)
{
  std::vector<ComparedPruning> prunings;
  for (const int count : keep) {
    prunings.push_back({PruningMethod::importance, count, most_important(head, count)});
  }
  if (agreement) {
    prunings.push_back({PruningMethod::purity, {}, purest(head, *agreement)});
    for (const int count : keep) {
      prunings.push_back({PruningMethod::merge, count, merged(head, *agreement, count)});
    }
  }
  return prunings;
}

}  // namespace mgproto
