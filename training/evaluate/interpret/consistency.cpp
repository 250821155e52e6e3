// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/interpret/consistency.hpp"

#include <torch/torch.h>

#include <algorithm>

namespace mgproto
{

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

}  // namespace mgproto
