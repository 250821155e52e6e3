// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/interpret/interpretability.hpp"

#include <ATen/Parallel.h>
#include <torch/torch.h>

#include <algorithm>
#include <string>
#include <utility>

#include "datasets/image.hpp"
#include "mgproto_ros/error.hpp"
#include "model/image_file.hpp"

namespace mgproto
{
namespace
{

constexpr std::size_t kOtherImages = 3;  // that a shown part is compared with, of its class

const PrototypeHead & checked_head(
  Network & network, const Dataset & dataset, const InterpretabilityOptions & options)
{
  const PrototypeHead * head = network.prototype_head();
  if (head == nullptr) {
    throw ConfigError("head.kind", "'" + network.config().head.kind + "' has no prototypes");
  }
  for (const auto & [name, stride] :
       {std::pair("dauc_stride", options.dauc_stride),
        std::pair("belief_stride", options.belief_stride)}) {
    if (stride < 0) {
      throw ConfigError(name, std::to_string(stride) + " is no number of images");
    }
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

/// Of a sample with a mask.
cv::Mat mask_of(const Sample & sample, const InputGeometry & geometry)
{
  try {
    return mask_in_input(read_mask(sample), geometry);
  } catch (const ImageError & error) {
    throw FileError(sample.mask, error.what());
  }
}

/// Where the object is in the input; empty if that is not known.
cv::Mat object_of(const Sample & sample, const InputGeometry & geometry)
{
  if (!sample.mask.empty()) {
    return mask_of(sample, geometry);
  }
  return sample.box ? box_in_input(*sample.box, geometry) : cv::Mat();
}

bool is_due(std::int64_t image, int stride) { return stride > 0 && image % stride == 0; }

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
    imagenet_mean(options.preprocessing)),
  relevance_(
    [&network, &head = head_](const auto & images, const auto & prototypes) {
      const torch::Tensor features = network.features(network.backbone_map(images));
      return head.activation(head.similarity_maps(features, head.means.index_select(0, prototypes)))
        .amax(2);
    },
    network.config().head.concentration),
  likeness_(
    [&network](const torch::Tensor & patches) { return network.early_map(patches); },
    options.belief_stride > 0 ? options.prototypes : std::vector<std::optional<Provenance>>(),
    options.preprocessing),
  preprocessor_(options.preprocessing)
{
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    images_of_[dataset.samples[i].label].push_back(i);
  }
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
  const cv::Mat object = object_of(sample, outputs.batch().geometry.at(b));
  if (!sample.mask.empty()) {
    imbalance_.add(maps, object);
  }
  const torch::Tensor shares =
    head_.contributions(outputs.similarity().slice(0, b, b + 1))[0];  // [K]
  if (is_due(index, options_.dauc_stride)) {
    const torch::Tensor share = shares.slice(0, begin, end);                  // [M]
    const torch::Tensor importance = (share.view({-1, 1, 1}) * maps).sum(0);  // [h, w]
    dauc_.add(outputs.images()[b], upsampled(importance, all.size));
  }

  const std::vector<ShownPart> parts = shown_parts(all.maps, shares, {begin, end}, all.size);
  apart_.add(parts);
  if (!object.empty()) {
    on_object_.add(parts, object);
  }
  if (is_due(index, options_.belief_stride)) {
    relevance_.add(outputs.images()[b], parts);
    if (likeness_.can_measure()) {
      Random random{options_.seed, static_cast<std::uint64_t>(index)};
      const std::vector<OtherImage> others = other_images(predicted, index, random);
      likeness_.add(sample.name, outputs.images()[b], parts, others, random);
    }
  }
}

std::vector<OtherImage> InterpretabilityMeter::other_images(
  int class_id, std::int64_t image, Random & random)
{
  std::vector<OtherImage> others;
  std::vector<std::int64_t> left = images_of_[class_id];
  left.erase(std::remove(left.begin(), left.end(), image), left.end());
  while (!left.empty() && others.size() < kOtherImages) {
    const auto chosen = left.begin() + random.index(static_cast<int>(left.size()));
    const Sample & sample = dataset_.samples[*chosen];
    left.erase(chosen);
    try {
      const cv::Mat pixels = read_image(sample);
      const int size = preprocessor_.config().size;
      OtherImage other{torch::empty({3, size, size}), {}};
      const InputGeometry geometry = preprocessor_(view_of(pixels), other.pixels.data_ptr<float>());
      other.object = object_of(sample, geometry);
      others.push_back(std::move(other));
    } catch (const FileError &) {
      continue;  // the loader leaves it out, too
    }
  }
  return others;
}

Interpretability InterpretabilityMeter::result() const
{
  Interpretability result;
  result.consistency = consistency_.result();
  result.stability = stability_.result();
  result.purity = purity_.result();
  result.oirr = imbalance_.result();
  result.dauc = dauc_.result();
  result.diversity = diversity(head_);
  result.on_object = on_object_.result();
  result.centre_on_object = on_object_.of_centre();
  result.sufficient = relevance_.sufficient();
  result.necessary = relevance_.necessary();
  result.alike = likeness_.result();
  result.apart = apart_.result();
  return result;
}

}  // namespace mgproto
