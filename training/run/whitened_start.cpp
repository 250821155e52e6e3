// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/whitened_start.hpp"

#include <torch/torch.h>

#include <algorithm>

#include "mgproto_ros/error.hpp"
#include "model/number_text.hpp"
#include "model/whitening.hpp"
#include "training/learn/closed_form.hpp"
#include "training/pass/pass.hpp"
#include "training/run/initial_weights.hpp"
#include "training/run/training_data.hpp"

namespace mgproto
{
namespace
{

// Prototypes are looked for in so many images, so that memory does not grow with a data set.
constexpr std::int64_t kImages = 4000;
constexpr std::int64_t kFewestOfAClass = 20;

/// The same data set with at most `most` images of each class, evenly chosen.
Dataset thinned(const Dataset & dataset, std::int64_t most)
{
  const std::vector<std::int64_t> count = class_counts(dataset);
  std::vector<std::int64_t> seen(count.size(), 0);
  Dataset result = dataset;
  result.samples.clear();
  for (const Sample & sample : dataset.samples) {
    const std::int64_t n = count[sample.label];
    const std::int64_t wanted = std::min(n, most);
    const std::int64_t i = seen[sample.label]++;
    if ((i + 1) * wanted / n > i * wanted / n) {
      result.samples.push_back(sample);
    }
  }
  return result;
}

/// The maps of the training images in half precision, as long as there is room for all of them: a
/// second pass costs as much as the first.
struct KeptMaps
{
  std::int64_t room;  // bytes
  bool complete = true;
  std::vector<torch::Tensor> maps = {};   // of each batch [B, channels, h, w]
  std::vector<std::int64_t> labels = {};  // of all images

  void add(const torch::Tensor & z, const std::vector<std::int64_t> & of_batch)
  {
    room -= z.numel() * 2;
    complete = complete && room >= 0;
    if (!complete) {
      maps.clear();
      return;
    }
    maps.push_back(z.to(torch::kHalf));
    labels.insert(labels.end(), of_batch.begin(), of_batch.end());
  }
};

WhiteningStatistics gather_statistics(
  Network & network, const TrainingConfig & config, const Dataset & train,
  const TrainingObserver & observer, KeptMaps & kept)
{
  WhiteningStatistics statistics(
    static_cast<std::int64_t>(train.classes.size()), network.backbone().channels());
  const int views = config.data.augment ? config.add_on.views : 0;
  std::int64_t done = 0;
  for (int view = 0; view <= views; ++view) {
    LoaderConfig images = evaluation_loader(config);
    if (view > 0) {
      images.augmentation = config.data.augmentation;
      images.seed = config.seed;
    }
    Loader loader(train, images);
    const std::int64_t total = loader.batches_per_epoch() * (views + 1);
    network.eval();
    Batch batch;
    loader.start(std::max(0, view - 1));
    while (loader.next(batch)) {
      const torch::Tensor z = network.backbone_map(images_of(batch));
      statistics.add(z, torch::tensor(batch.labels, torch::kInt64));
      if (view == 0) {
        kept.add(z, batch.labels);
      }
      observer.progress("whitening", ++done, total, "");
    }
  }
  return statistics;
}

LocalFeatures gather_features(
  Network & network, const TrainingConfig & config, const Dataset & train,
  const TrainingObserver & observer, const KeptMaps & kept)
{
  if (kept.complete) {
    std::vector<torch::Tensor> of_batches;
    for (const torch::Tensor & z : kept.maps) {
      of_batches.push_back(network.features(z.to(torch::kFloat32)).flatten(2));
    }
    return {torch::cat(of_batches), kept.labels, kept.maps.front().size(3)};
  }
  const auto classes = static_cast<std::int64_t>(train.classes.size());
  const Dataset images = thinned(train, std::max(kFewestOfAClass, kImages / classes));
  Loader loader(images, evaluation_loader(config));
  LocalFeatures local;
  std::vector<torch::Tensor> features;
  for_each_batch(
    network, loader,
    [&](std::int64_t done, std::int64_t total) {
      observer.progress("local features", done, total, "");
    },
    [&](const BatchOutputs & outputs) {
      features.push_back(outputs.features().flatten(2).contiguous());
      local.map_cols = outputs.features().size(3);
      const std::vector<std::int64_t> & labels = outputs.batch().labels;
      local.labels.insert(local.labels.end(), labels.begin(), labels.end());
    });
  local.features = torch::cat(features);
  return local;
}

}  // namespace

Whitening start_whitened(
  Network & network, const TrainingConfig & config, const Dataset & train,
  const TrainingObserver & observer)
{
  const torch::NoGradGuard no_grad;
  GaussianHead & head = network.gaussian_head();
  const HeadConfig & settings = network.config().head;
  const std::int64_t class_dim = settings.whole_dim > 0
                                   ? settings.whole_dim
                                   : default_whole_dim(head.classes(), settings.feature_dim);
  KeptMaps kept{std::int64_t{config.schedule.frozen_cache_megabytes} << 20};
  const Whitening whitening =
    gather_statistics(network, config, train, observer, kept)
      .solve(config.add_on.shrinkage, class_dim, settings.feature_dim - class_dim);
  network.set_add_on(whitening.weight, whitening.bias);
  if (head.wholes.defined()) {
    head.wholes.copy_(whitening.class_means);
  }
  const PrototypeSearch search = find_prototypes(
    head, gather_features(network, config, train, observer, kept), whitening.class_means,
    config.seed);
  observer.say(
    "prototypes: " + std::to_string(search.kept) + " of " + std::to_string(search.candidates) +
    " patches, those that tell their class from others best (by " +
    fixed(search.told_apart_kept, 1) + " standard deviations; the others " +
    fixed(search.told_apart_dropped, 1) + ")");
  return whitening;
}

}  // namespace mgproto
