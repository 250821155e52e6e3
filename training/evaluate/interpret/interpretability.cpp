// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/interpret/interpretability.hpp"

#include <torch/torch.h>

#include <functional>
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

void check(
  const GaussianHead & head, const Dataset & dataset, const InterpretabilityOptions & options)
{
  if (options.dauc_stride < 1) {
    throw ConfigError(
      "dauc_stride", std::to_string(options.dauc_stride) + " is not a number of images above 0");
  }
  if (!dataset.classes.empty() && static_cast<int>(dataset.classes.size()) != head.classes()) {
    throw ConfigError(
      "classes", "the data set has " + std::to_string(dataset.classes.size()) +
                   ", expected the network's " + std::to_string(head.classes()));
  }
}

/// An image on its way through the network.
struct SeenImage
{
  std::int64_t index = 0;  // in the data set
  InputGeometry geometry;
  torch::Tensor pixels;    // [3, size, size]
  torch::Tensor features;  // [1, D, h, w]
};

void for_each_image(
  Network & network, Loader & loader, const Progress & progress,
  const std::function<void(const SeenImage &)> & look)
{
  Batch batch;
  loader.start(0);
  std::int64_t done = 0;
  while (loader.next(batch)) {
    const torch::Tensor images = images_of(batch);
    const torch::Tensor features = network.features(network.backbone_map(images));
    for (int b = 0; b < batch.count; ++b) {
      look({batch.images[b], batch.geometry.at(b), images[b], features.slice(0, b, b + 1)});
    }
    if (progress) {
      progress(++done, loader.batches_per_epoch());
    }
  }
}

/// Likelihood maps of all prototypes [K, h, w].
torch::Tensor likelihood_maps(const GaussianHead & head, const torch::Tensor & features)
{
  return head.log_likelihood_maps(features)[0].exp().view(
    {head.prototypes(), features.size(2), features.size(3)});
}

/// What all prototypes answered.
ObservedImage observed(const GaussianHead & head, const Sample & sample, const SeenImage & image)
{
  return {
    likelihood_maps(head, image.features), 0, parts_in_input(sample.parts, image.geometry),
    image.geometry.size};
}

/// A class's maps [M, h, w], each by its prototype's share pi h / p(x|c) in the class's density.
torch::Tensor importance_of(
  const torch::Tensor & maps, const torch::Tensor & log_likelihood, const torch::Tensor & priors)
{
  const torch::Tensor contribution = (log_likelihood + priors.log()).softmax(0);  // [M]
  return (contribution.view({-1, 1, 1}) * maps).sum(0);                           // [h, w]
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

Interpretability measure_interpretability(
  Network & network, const Dataset & dataset, Loader & loader,
  const InterpretabilityOptions & options, const Progress & progress)
{
  const torch::NoGradGuard no_grad;
  network.eval();
  const GaussianHead & head = network.head();
  check(head, dataset, options);

  Consistency consistency(head.prototypes(), dataset.part_names.size());
  Stability stability(head.prototypes());
  Purity purity(head.prototypes());
  ObjectImbalance imbalance;
  Dauc dauc(
    [&](const torch::Tensor & images) { return network.forward(images).log_posterior.exp(); },
    imagenet_mean(options.preprocessing));

  for_each_image(network, loader, progress, [&](const SeenImage & image) {
    const Sample & sample = dataset.samples.at(image.index);
    const ObservedImage all = observed(head, sample, image);
    purity.add(all);

    if (sample.label >= 0 && !all.parts.empty()) {
      const auto [begin, end] = head.range_of(static_cast<int>(sample.label));
      const ObservedImage own{all.maps.slice(0, begin, end), begin, all.parts, all.size};
      const torch::Tensor noisy =
        with_noise(image.pixels, Random{options.seed, static_cast<std::uint64_t>(image.index)});
      const torch::Tensor noisy_maps =
        likelihood_maps(head, network.features(network.backbone_map(noisy.unsqueeze(0))));
      consistency.add(own);
      stability.add(own, noisy_maps.slice(0, begin, end));
    }

    const Densities densities = head.forward(image.features);
    const int predicted = densities.log_posterior[0].argmax().item<int>();
    const auto [begin, end] = head.range_of(predicted);
    const torch::Tensor maps = all.maps.slice(0, begin, end);
    if (!sample.mask.empty()) {
      imbalance.add(maps, mask_of(sample, image.geometry));
    }
    if (image.index % options.dauc_stride == 0) {
      const torch::Tensor importance = importance_of(
        maps, densities.log_likelihood[0].slice(0, begin, end), head.priors.slice(0, begin, end));
      dauc.add(image.pixels, upsampled(importance, all.size));
    }
  });
  return {consistency.result(), stability.result(), purity.result(),
          imbalance.result(),   dauc.result(),      diversity(head)};
}

std::optional<PurityScore> measure_purity(
  Network & network, const Dataset & dataset, Loader & loader, const Progress & progress)
{
  const torch::NoGradGuard no_grad;
  network.eval();
  const GaussianHead & head = network.head();
  Purity purity(head.prototypes());
  for_each_image(network, loader, progress, [&](const SeenImage & image) {
    purity.add(observed(head, dataset.samples.at(image.index), image));
  });
  return purity.result();
}

}  // namespace mgproto
