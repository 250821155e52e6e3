// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/pictures/patches_and_features.hpp"

#include <torch/torch.h>

#include <set>

#include "model/random.hpp"

namespace mgproto
{
namespace
{

/// Every feature so far has the same chance to be among those kept.
class FeatureDraw
{
public:
  FeatureDraw(std::size_t most, std::uint64_t key) : most_(most), random_({key}) {}

  void add(const torch::Tensor & feature /*[D]*/)
  {
    ++seen_;
    if (kept_.size() < most_) {
      kept_.push_back(feature.clone());
      return;
    }
    const auto place = static_cast<std::size_t>(random_.index(seen_));
    if (place < most_) {
      kept_[place] = feature.clone();
    }
  }

  torch::Tensor rows(std::int64_t dim) const
  {
    return kept_.empty() ? torch::empty({0, dim}) : torch::stack(kept_);
  }

private:
  std::size_t most_;
  int seen_ = 0;
  std::vector<torch::Tensor> kept_;
  Random random_;
};

}  // namespace

PatchesAndFeatures gather_patches_and_features(
  Network & network, Loader & loader, std::size_t nearest_patches, std::size_t most_features,
  const Progress & progress)
{
  const GaussianHead & head = network.gaussian_head();
  PatchSearch search(head, nearest_patches);
  std::vector<FeatureDraw> draws;
  for (int c = 0; c < head.classes(); ++c) {
    draws.emplace_back(most_features, c);
  }
  PatchesAndFeatures found;
  found.images.resize(head.classes(), 0);
  for_each_batch(network, loader, progress, [&](const BatchOutputs & outputs) {
    const Batch & batch = outputs.batch();
    const torch::Tensor positions = outputs.maps().argmax(2);  // [B, K]
    for (int b = 0; b < batch.count; ++b) {
      const std::int64_t label = batch.labels[b];
      const torch::Tensor features = outputs.features()[b];
      search.add(head, features, label, batch.images[b], batch.geometry[b]);
      const auto [begin, end] = head.range_of(static_cast<int>(label));
      const auto * position = positions[b].data_ptr<std::int64_t>();
      const torch::Tensor at = features.flatten(1);  // [D, P]
      for (const std::int64_t p : std::set<std::int64_t>(position + begin, position + end)) {
        draws[label].add(at.select(1, p));
      }
      ++found.images[label];
    }
  });

  found.nearest = search.nearest();
  for (const FeatureDraw & draw : draws) {
    found.features.push_back(draw.rows(head.means.size(1)));
  }
  return found;
}

}  // namespace mgproto
