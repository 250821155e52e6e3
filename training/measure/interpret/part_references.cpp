// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/interpret/part_references.hpp"

#include <torch/torch.h>

#include <cmath>

#include "model/heads/gaussian_head.hpp"

namespace mgproto
{
namespace
{

/// Of maps [B, D, h, w]; what is not a number counts as 0.
torch::Tensor finite_units(const torch::Tensor & maps)
{
  return unit_vectors(torch::nan_to_num(maps, 0));
}

/// A map [1, 3, 3] whose maximum is in the middle of the image.
torch::Tensor middle()
{
  torch::Tensor map = torch::zeros({1, 3, 3});
  map[0][1][1] = 1;
  return map;
}

}  // namespace

void PartTemplateLearner::add(
  const Batch & batch, const torch::Tensor & z, const torch::Tensor & features)
{
  add_to(sum_.backbone, z, batch);
  if (features.defined()) {
    add_to(sum_.features, features, batch);
  }
}

void PartTemplateLearner::add_to(
  torch::Tensor & sum, const torch::Tensor & maps, const Batch & batch) const
{
  if (!sum.defined()) {
    const auto classes = static_cast<std::int64_t>(dataset_.classes.size());
    const auto parts = static_cast<std::int64_t>(dataset_.part_names.size());
    sum = torch::zeros({classes, parts, maps.size(1)});
  }
  const torch::Tensor units = finite_units(maps);
  for (int b = 0; b < batch.count; ++b) {
    const Sample & sample = dataset_.samples.at(batch.images[b]);
    const InputGeometry & geometry = batch.geometry.at(b);
    if (sample.label < 0) {
      continue;
    }
    for (const PartLocation & part : parts_in_input(sample.parts, geometry)) {
      const auto row = static_cast<std::int64_t>(part.y / geometry.size * maps.size(2));
      const auto col = static_cast<std::int64_t>(part.x / geometry.size * maps.size(3));
      sum[sample.label][part.part] += units[b].select(1, row).select(1, col);
    }
  }
}

PartTemplates PartTemplateLearner::result() const
{
  const auto means = [](const torch::Tensor & sum) {
    return sum.defined() ? unit_vectors(sum.flatten(0, 1)).view_as(sum) : sum;
  };
  return {means(sum_.features), means(sum_.backbone)};
}

void PartReferenceMeter::Measure::add(const ObservedImage & image)
{
  consistency.add(image);
  purity.add(image);
}

PartReferenceMeter::PartReferenceMeter(const Dataset & dataset, const PartTemplates & templates)
: dataset_(dataset),
  templates_(templates),
  centre_{
    Consistency(dataset.classes.size(), dataset.part_names.size()), Purity(dataset.classes.size())},
  features_{
    Consistency(dataset.classes.size() * dataset.part_names.size(), dataset.part_names.size()),
    Purity(dataset.classes.size() * dataset.part_names.size())},
  backbone_(features_)
{
}

void PartReferenceMeter::add(
  const Batch & batch, const torch::Tensor & z, const torch::Tensor & features)
{
  const torch::NoGradGuard no_grad;
  const bool has_features = templates_.features.defined();
  const torch::Tensor backbone_units = finite_units(z);
  const torch::Tensor feature_units = has_features ? finite_units(features) : torch::Tensor();
  for (int b = 0; b < batch.count; ++b) {
    const Sample & sample = dataset_.samples.at(batch.images[b]);
    const InputGeometry & geometry = batch.geometry.at(b);
    const ObservedImage image{
      middle(), sample.label, parts_in_input(sample.parts, geometry), geometry.size};
    if (sample.label < 0 || image.parts.empty()) {
      continue;
    }
    centre_.add(image);
    add_templates(backbone_, templates_.backbone, backbone_units[b], image);
    if (has_features) {
      add_templates(features_, templates_.features, feature_units[b], image);
    }
  }
}

void PartReferenceMeter::add_templates(
  Measure & measure, const torch::Tensor & templates, const torch::Tensor & units,
  const ObservedImage & image) const
{
  const std::int64_t label = image.first_prototype;
  const torch::Tensor own = templates[label];  // [P, D]
  const torch::Tensor cosine =
    own.matmul(units.flatten(1)).view({own.size(0), units.size(1), units.size(2)});
  // Of unit vectors, up to a factor: the density of a Gaussian with the prototypes' variance 1 / 2 pi.
  const torch::Tensor likelihood = torch::exp(2 * M_PI * (cosine - 1));
  for (std::int64_t part = 0; part < own.size(0); ++part) {
    if (own[part].any().item<bool>()) {
      measure.add(
        {likelihood.slice(0, part, part + 1), label * own.size(0) + part, image.parts, image.size});
    }
  }
}

PartReferences PartReferenceMeter::result() const
{
  return {centre_.result(), features_.result(), backbone_.result()};
}

}  // namespace mgproto
