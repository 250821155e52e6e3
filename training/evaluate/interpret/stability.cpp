// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/interpret/stability.hpp"

#include <torch/torch.h>

#include <algorithm>

namespace mgproto
{
namespace
{

constexpr double kDeviation = 0.2;
constexpr double kLargest = 0.25;

}  // namespace

torch::Tensor with_noise(const torch::Tensor & image, Random random)
{
  const torch::Tensor noisy = image.contiguous().clone();
  float * values = noisy.data_ptr<float>();
  for (std::int64_t i = 0; i < noisy.numel(); ++i) {
    values[i] += static_cast<float>(std::clamp(kDeviation * random.normal(), -kLargest, kLargest));
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

}  // namespace mgproto
