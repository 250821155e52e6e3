// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/interpret/interpretability.hpp"

#include <ATen/Parallel.h>
#include <torch/torch.h>

#include <string>

#include "mgproto_ros/error.hpp"
#include "training/data/image.hpp"
#include "training/evaluate/interpret/consistency.hpp"
#include "training/evaluate/interpret/dauc.hpp"
#include "training/evaluate/interpret/diversity.hpp"
#include "training/evaluate/interpret/object_imbalance.hpp"
#include "training/evaluate/interpret/stability.hpp"

namespace mgproto
{
namespace
{

const PrototypeHead & prototypes_of(Network & network)
{
  if (network.prototype_head() == nullptr) {
    throw ConfigError("head.kind", "'" + network.config().head.kind + "' has no prototypes");
  }
  return *network.prototype_head();
}

void check(
  const PrototypeHead & head, const Dataset & dataset, const InterpretabilityOptions & options)
{
  if (options.dauc_stride < 0) {
    throw ConfigError(
      "dauc_stride", std::to_string(options.dauc_stride) + " is no number of images");
  }
  if (!dataset.classes.empty() && static_cast<int>(dataset.classes.size()) != head.classes()) {
    throw ConfigError(
      "classes", "the data set has " + std::to_string(dataset.classes.size()) +
                   ", expected the network's " + std::to_string(head.classes()));
  }
}

/// Activation maps of all prototypes [B, K, h, w].
torch::Tensor activation_maps(
  const PrototypeHead & head, const torch::Tensor & similarity /*[B, K, P]*/,
  const torch::Tensor & features)
{
  return head.activation(similarity)
    .view({similarity.size(0), similarity.size(1), features.size(2), features.size(3)});
}

cv::Mat mask_of(const Sample & sample, const InputGeometry & geometry)
{
  try {
    return mask_in_input(read_mask(sample), geometry);
  } catch (const ImageError & error) {
    throw FileError(sample.mask, error.what());
  }
}

}  // namespace

struct InterpretabilityMeter::Measures
{
  Consistency consistency;
  Stability stability;
  Purity purity;
  ObjectImbalance imbalance;
  Dauc dauc;
};

InterpretabilityMeter::InterpretabilityMeter(
  Network & network, const Dataset & dataset, const InterpretabilityOptions & options)
: network_(network), head_(prototypes_of(network)), dataset_(dataset), options_(options)
{
  check(head_, dataset, options);
  measures_ = std::make_unique<Measures>(Measures{
    Consistency(head_.prototypes(), dataset.part_names.size()), Stability(head_.prototypes()),
    Purity(head_.prototypes()), ObjectImbalance(),
    Dauc(
      [this](const torch::Tensor & images) {
        return head_.logits(network_.features(network_.backbone_map(images))).softmax(1);
      },
      imagenet_mean(options.preprocessing))});
}

InterpretabilityMeter::~InterpretabilityMeter() = default;

void InterpretabilityMeter::add(const BatchAnswers & seen)
{
  const torch::NoGradGuard no_grad;
  // Stability's noise, for those images that have parts.
  std::vector<int> with_parts;
  for (int b = 0; b < seen.batch.count; ++b) {
    const Sample & sample = dataset_.samples.at(seen.batch.images[b]);
    if (sample.label >= 0 && !parts_in_input(sample.parts, seen.batch.geometry.at(b)).empty()) {
      with_parts.push_back(b);
    }
  }
  std::vector<torch::Tensor> noisy(with_parts.size());
  at::parallel_for(0, static_cast<std::int64_t>(noisy.size()), 1, [&](auto begin, auto end) {
    for (auto i = begin; i < end; ++i) {
      const int b = with_parts[i];
      const Random random{options_.seed, static_cast<std::uint64_t>(seen.batch.images[b])};
      noisy[i] = with_noise(seen.images[b], random);
    }
  });
  std::vector<torch::Tensor> noisy_maps(seen.batch.count);
  if (!noisy.empty()) {
    const torch::Tensor features = network_.features(network_.backbone_map(torch::stack(noisy)));
    const torch::Tensor maps =
      activation_maps(head_, head_.similarity_maps(features, head_.means), features);
    for (std::size_t i = 0; i < with_parts.size(); ++i) {
      noisy_maps[with_parts[i]] = maps[static_cast<std::int64_t>(i)];
    }
  }
  for (int b = 0; b < seen.batch.count; ++b) {
    add_image(seen, noisy_maps[b], b);
  }
}

void InterpretabilityMeter::add_image(
  const BatchAnswers & seen, const torch::Tensor & noisy_maps, int b)
{
  const std::int64_t index = seen.batch.images[b];
  const Sample & sample = dataset_.samples.at(index);
  const InputGeometry & geometry = seen.batch.geometry.at(b);
  const torch::Tensor all_maps =
    activation_maps(head_, seen.maps.slice(0, b, b + 1), seen.features)[0];
  const ObservedImage all{all_maps, 0, parts_in_input(sample.parts, geometry), geometry.size};
  measures_->purity.add(all);

  if (noisy_maps.defined()) {
    const auto [begin, end] = head_.range_of(static_cast<int>(sample.label));
    const ObservedImage own{all.maps.slice(0, begin, end), begin, all.parts, all.size};
    measures_->consistency.add(own);
    measures_->stability.add(own, noisy_maps.slice(0, begin, end));
  }

  const int predicted = seen.logits[b].argmax().item<int>();
  const auto [begin, end] = head_.range_of(predicted);
  const torch::Tensor maps = all.maps.slice(0, begin, end);
  if (!sample.mask.empty()) {
    measures_->imbalance.add(maps, mask_of(sample, geometry));
  }
  if (options_.dauc_stride > 0 && index % options_.dauc_stride == 0) {
    const torch::Tensor share =
      head_.contributions(predicted, seen.similarity[b].slice(0, begin, end));  // [M]
    const torch::Tensor importance = (share.view({-1, 1, 1}) * maps).sum(0);    // [h, w]
    measures_->dauc.add(seen.images[b], upsampled(importance, all.size));
  }
}

Interpretability InterpretabilityMeter::result() const
{
  return {measures_->consistency.result(), measures_->stability.result(),
          measures_->purity.result(),      measures_->imbalance.result(),
          measures_->dauc.result(),        diversity(head_)};
}

PurityMeter::PurityMeter(const PrototypeHead & head, const Dataset & dataset)
: head_(head), dataset_(dataset), purity_(head.prototypes())
{
}

void PurityMeter::add(const BatchAnswers & seen)
{
  for (int b = 0; b < seen.batch.count; ++b) {
    const InputGeometry & geometry = seen.batch.geometry.at(b);
    purity_.add(
      {activation_maps(head_, seen.maps.slice(0, b, b + 1), seen.features)[0], 0,
       parts_in_input(dataset_.samples.at(seen.batch.images[b]).parts, geometry), geometry.size});
  }
}

}  // namespace mgproto
