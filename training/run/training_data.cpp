// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/training_data.hpp"

#include <algorithm>
#include <cmath>

#include "mgproto_ros/error.hpp"
#include "training/run/model_data.hpp"

namespace mgproto
{
namespace
{

/// Of images that are not split into training and test.
constexpr double kTestShare = 0.2;

/// Takes every n-th image of each class out of the training set, so that a share of it is held out.
Dataset hold_out(Dataset & train, double share)
{
  Dataset held = train;
  held.samples.clear();
  const auto every = std::max<std::int64_t>(2, std::llround(1 / share));
  std::vector<std::int64_t> seen(train.classes.size(), 0);
  std::vector<Sample> kept;
  for (Sample & sample : train.samples) {
    (seen[sample.label]++ % every == every - 1 ? held.samples : kept).push_back(sample);
  }
  train.samples = std::move(kept);
  return held;
}

}  // namespace

TrainingData open_training_data(const DataConfig & config)
{
  DatasetOptions options;
  options.crop_to_boxes = config.crop_to_boxes;
  TrainingData data;
  data.train = open_dataset(config.path, "train", options);
  options.evaluation = true;
  options.classes = data.train.classes;
  // Testing on what was trained on would say nothing.
  data.test = data.train.split == "all" ? hold_out(data.train, kTestShare)
                                        : open_dataset(config.path, "test", options);
  data.calibration = config.calibration.empty() ? hold_out(data.train, config.held_out)
                                                : open_dataset(config.calibration, "all", options);
  for (const auto & [name, path] : config.ood) {
    data.ood[name] = open_ood(path);
  }
  return data;
}

LoaderConfig evaluation_loader(const TrainingConfig & config)
{
  LoaderConfig loader;
  loader.preprocessing = config.network.preprocessing;
  loader.batch_size = config.schedule.batch;
  loader.workers = config.data.workers;
  loader.strict = config.data.strict;
  return loader;
}

LoaderConfig training_loader(const TrainingConfig & config)
{
  LoaderConfig loader = evaluation_loader(config);
  if (config.data.augment) {
    loader.augmentation = config.data.augmentation;
  }
  loader.order = config.data.balanced  ? SampleOrder::balanced
                 : config.data.shuffle ? SampleOrder::shuffled
                                       : SampleOrder::as_listed;
  loader.seed = config.seed;
  loader.drop_last = config.data.shuffle;
  loader.cache = config.data.cache_megabytes > 0;
  loader.cache_bytes = static_cast<std::size_t>(config.data.cache_megabytes) << 20;
  return loader;
}

}  // namespace mgproto
