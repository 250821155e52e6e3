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

WhiteningStatistics gather_statistics(
  Network & network, const TrainingConfig & config, const Dataset & train,
  const TrainingObserver & observer)
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
      statistics.add(
        network.backbone_map(images_of(batch)), torch::tensor(batch.labels, torch::kInt64));
      observer.progress("whitening", ++done, total, "");
    }
  }
  return statistics;
}

LocalFeatures gather_features(
  Network & network, const TrainingConfig & config, const Dataset & train,
  const TrainingObserver & observer)
{
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
      const std::vector<std::int64_t> & labels = outputs.batch().labels;
      local.labels.insert(local.labels.end(), labels.begin(), labels.end());
    });
  local.features = torch::cat(features);
  return local;
}

}  // namespace

void start_whitened(
  Network & network, const TrainingConfig & config, const Dataset & train,
  const TrainingObserver & observer)
{
  const torch::NoGradGuard no_grad;
  GaussianHead & head = network.gaussian_head();
  const HeadConfig & settings = network.config().head;
  const std::int64_t class_dim = settings.whole_dim > 0
                                   ? settings.whole_dim
                                   : default_whole_dim(head.classes(), settings.feature_dim);
  const Whitening whitening =
    gather_statistics(network, config, train, observer)
      .solve(config.add_on.shrinkage, class_dim, settings.feature_dim - class_dim);
  network.set_add_on(whitening.weight, whitening.bias);
  if (head.wholes.defined()) {
    head.wholes.copy_(whitening.class_means);
  }
  const PrototypeSearch search = find_prototypes(
    head, gather_features(network, config, train, observer), whitening.class_means, config.seed);
  observer.say(
    "prototypes: " + std::to_string(search.kept) + " of " + std::to_string(search.candidates) +
    " candidates, those that tell their class from others best (by " +
    fixed(search.told_apart_kept, 1) + " standard deviations; the others " +
    fixed(search.told_apart_dropped, 1) + ")");
}

}  // namespace mgproto
