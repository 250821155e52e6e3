// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/interpret/purity.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace mgproto
{
namespace
{

constexpr double kPatchHalfSize = 16;  // pixels at 224

}  // namespace

Purity::Purity(std::int64_t prototypes) : best_(prototypes) {}

void Purity::add(const ObservedImage & image)
{
  if (image.parts.empty()) {
    return;
  }
  const torch::Tensor likelihood =
    torch::nan_to_num(image.maps, 0).flatten(1).amax(1).contiguous();  // [M]
  for (std::int64_t m = 0; m < image.maps.size(0); ++m) {
    const float value = likelihood.data_ptr<float>()[m];
    std::vector<Patch> & best = best_.at(image.first_prototype + m);
    if (best.size() == kPatches && best.back().likelihood >= value) {
      continue;
    }
    const auto place = std::upper_bound(
      best.begin(), best.end(), value,
      [](float one, const Patch & other) { return one > other.likelihood; });
    best.insert(place, {value, covered_parts(image.maps[m], image, kPatchHalfSize)});
    if (best.size() > kPatches) {
      best.pop_back();
    }
  }
}

std::optional<PurityScore> Purity::result() const
{
  std::vector<double> shares;
  for (const std::vector<Patch> & patches : best_) {
    if (patches.empty()) {
      continue;
    }
    std::map<int, int> patches_with;
    int most = 0;
    for (const Patch & patch : patches) {
      for (const int part : patch.parts) {
        most = std::max(most, ++patches_with[part]);
      }
    }
    shares.push_back(static_cast<double>(most) / static_cast<double>(patches.size()));
  }
  if (shares.empty()) {
    return {};
  }
  PurityScore score;
  for (const double share : shares) {
    score.mean += share / static_cast<double>(shares.size());
  }
  double variance = 0;
  for (const double share : shares) {
    variance += std::pow(share - score.mean, 2) / static_cast<double>(shares.size());
  }
  score.deviation = std::sqrt(variance);
  return score;
}

}  // namespace mgproto
