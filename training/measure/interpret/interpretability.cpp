// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/interpret/interpretability.hpp"

#include <ATen/Parallel.h>
#include <torch/torch.h>

#include <string>

#include "datasets/image.hpp"
#include "mgproto_ros/error.hpp"

namespace mgproto
{
namespace
{

const PrototypeHead & checked_head(
  Network & network, const Dataset & dataset, const InterpretabilityOptions & options)
{
  const PrototypeHead * head = network.prototype_head();
  if (head == nullptr) {
    throw ConfigError("head.kind", "'" + network.config().head.kind + "' has no prototypes");
  }
  if (options.dauc_stride < 0) {
    throw ConfigError(
      "dauc_stride", std::to_string(options.dauc_stride) + " is no number of images");
  }
  if (!dataset.classes.empty() && static_cast<int>(dataset.classes.size()) != head->classes()) {
    throw ConfigError(
      "classes", "the data set has " + std::to_string(dataset.classes.size()) +
                   ", expected the network's " + std::to_string(head->classes()));
  }
  return *head;
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

ObservedImage observed_image(
  const PrototypeHead & head, const BatchOutputs & outputs, const Dataset & dataset, int b)
{
  const InputGeometry & geometry = outputs.batch().geometry.at(b);
  return {
    activation_maps(head, outputs.maps().slice(0, b, b + 1), outputs.features())[0], 0,
    parts_in_input(dataset.samples.at(outputs.batch().images[b]).parts, geometry), geometry.size};
}

InterpretabilityMeter::InterpretabilityMeter(
  Network & network, const Dataset & dataset, const InterpretabilityOptions & options)
: network_(network),
  head_(checked_head(network, dataset, options)),
  dataset_(dataset),
  options_(options),
  consistency_(head_.prototypes(), dataset.part_names.size()),
  stability_(head_.prototypes()),
  purity_(head_.prototypes()),
  dauc_(
    [&network](const torch::Tensor & images) { return network.logits(images).softmax(1); },
    imagenet_mean(options.preprocessing))
{
}

void InterpretabilityMeter::add(const BatchOutputs & outputs)
{
  const torch::NoGradGuard no_grad;
  const std::vector<torch::Tensor> noisy = noisy_maps(outputs);
  for (int b = 0; b < outputs.batch().count; ++b) {
    add_image(outputs, noisy[b], b);
  }
}

std::vector<torch::Tensor> InterpretabilityMeter::noisy_maps(const BatchOutputs & outputs) const
{
  const Batch & batch = outputs.batch();
  std::vector<int> with_parts;
  for (int b = 0; b < batch.count; ++b) {
    const Sample & sample = dataset_.samples.at(batch.images[b]);
    if (sample.label >= 0 && !parts_in_input(sample.parts, batch.geometry.at(b)).empty()) {
      with_parts.push_back(b);
    }
  }
  std::vector<torch::Tensor> of_images(batch.count);
  if (with_parts.empty()) {
    return of_images;
  }
  const torch::Tensor & images = outputs.images();
  std::vector<torch::Tensor> noisy(with_parts.size());
  at::parallel_for(0, static_cast<std::int64_t>(noisy.size()), 1, [&](auto begin, auto end) {
    for (auto i = begin; i < end; ++i) {
      const int b = with_parts[i];
      const Random random{options_.seed, static_cast<std::uint64_t>(batch.images[b])};
      noisy[i] = with_noise(images[b], random);
    }
  });
  const torch::Tensor features = network_.features(network_.backbone_map(torch::stack(noisy)));
  const torch::Tensor maps =
    activation_maps(head_, head_.similarity_maps(features, head_.means), features);
  for (std::size_t i = 0; i < with_parts.size(); ++i) {
    of_images[with_parts[i]] = maps[static_cast<std::int64_t>(i)];
  }
  return of_images;
}

void InterpretabilityMeter::add_image(
  const BatchOutputs & outputs, const torch::Tensor & noisy_maps, int b)
{
  const std::int64_t index = outputs.batch().images[b];
  const Sample & sample = dataset_.samples.at(index);
  const ObservedImage all = observed_image(head_, outputs, dataset_, b);
  purity_.add(all);

  if (noisy_maps.defined()) {
    const auto [begin, end] = head_.range_of(static_cast<int>(sample.label));
    const ObservedImage own{all.maps.slice(0, begin, end), begin, all.parts, all.size};
    consistency_.add(own);
    stability_.add(own, noisy_maps.slice(0, begin, end));
  }

  const int predicted = outputs.logits()[b].argmax().item<int>();
  const auto [begin, end] = head_.range_of(predicted);
  const torch::Tensor maps = all.maps.slice(0, begin, end);
  if (!sample.mask.empty()) {
    imbalance_.add(maps, mask_of(sample, outputs.batch().geometry.at(b)));
  }
  if (options_.dauc_stride > 0 && index % options_.dauc_stride == 0) {
    const torch::Tensor share =
      head_.contributions(outputs.similarity().slice(0, b, b + 1))[0].slice(0, begin, end);  // [M]
    const torch::Tensor importance = (share.view({-1, 1, 1}) * maps).sum(0);  // [h, w]
    dauc_.add(outputs.images()[b], upsampled(importance, all.size));
  }
}

Interpretability InterpretabilityMeter::result() const
{
  return {consistency_.result(), stability_.result(), purity_.result(),
          imbalance_.result(),   dauc_.result(),      diversity(head_)};
}

}  // namespace mgproto
