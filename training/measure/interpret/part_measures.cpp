// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/interpret/part_measures.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace mgproto
{
namespace
{

constexpr double kNoiseDeviation = 0.2;
constexpr double kLargestNoise = 0.25;
constexpr double kPatchHalfSize = 16;  // pixels at 224

}  // namespace

Consistency::Consistency(std::int64_t prototypes, std::size_t parts)
: counts_(prototypes, std::vector<Count>(parts))
{
}

void Consistency::add(const ObservedImage & image)
{
  std::set<int> annotated;
  for (const PartLocation & part : image.parts) {
    annotated.insert(part.part);
  }
  for (std::int64_t m = 0; m < image.maps.size(0); ++m) {
    std::vector<Count> & counts = counts_.at(image.first_prototype + m);
    for (const int part : annotated) {
      ++counts.at(part).annotated;
    }
    for (const int part : covered_parts(image.maps[m], image, kBoxHalfSize)) {
      ++counts.at(part).covered;
    }
  }
}

std::optional<double> Consistency::result() const
{
  const auto annotated = [](const Count & part) { return part.annotated > 0; };
  const auto reliable = [](const Count & part) {
    return part.annotated > 0 && 100 * part.covered >= 80 * part.annotated;
  };
  std::int64_t measured = 0;
  std::int64_t consistent = 0;
  for (const std::vector<Count> & parts : counts_) {
    measured += std::any_of(parts.begin(), parts.end(), annotated) ? 1 : 0;
    consistent += std::any_of(parts.begin(), parts.end(), reliable) ? 1 : 0;
  }
  if (measured == 0) {
    return {};
  }
  return static_cast<double>(consistent) / static_cast<double>(measured);
}

torch::Tensor with_noise(const torch::Tensor & image, Random random)
{
  const torch::Tensor noisy = image.contiguous().clone();
  float * values = noisy.data_ptr<float>();
  for (std::int64_t i = 0; i < noisy.numel(); ++i) {
    values[i] += static_cast<float>(
      std::clamp(kNoiseDeviation * random.normal(), -kLargestNoise, kLargestNoise));
  }
  return noisy;
}

Stability::Stability(std::int64_t prototypes) : counts_(prototypes) {}

void Stability::add(const ObservedImage & image, const torch::Tensor & noisy_maps)
{
  if (image.parts.empty()) {
    return;
  }
  for (std::int64_t m = 0; m < image.maps.size(0); ++m) {
    Count & count = counts_.at(image.first_prototype + m);
    ++count.images;
    count.unchanged += covered_parts(image.maps[m], image, kBoxHalfSize) ==
                           covered_parts(noisy_maps[m], image, kBoxHalfSize)
                         ? 1
                         : 0;
  }
}

std::optional<double> Stability::result() const
{
  double sum = 0;
  std::int64_t measured = 0;
  for (const Count & count : counts_) {
    if (count.images > 0) {
      sum += static_cast<double>(count.unchanged) / static_cast<double>(count.images);
      ++measured;
    }
  }
  if (measured == 0) {
    return {};
  }
  return sum / static_cast<double>(measured);
}

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
