// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/training_data.hpp"

#include <algorithm>
#include <cmath>
#include <regex>

#include "mgproto_ros/error.hpp"
#include "training/ground/calibration.hpp"
#include "training/run/model_data.hpp"

namespace mgproto
{
namespace
{

/// Of images that are not split into training and test.
constexpr double kTestShare = 0.2;

/// Of every image the occasion that it is of, within its class.
class Occasions
{
public:
  explicit Occasions(const std::string & pattern)
  {
    try {
      pattern_.assign(pattern);
    } catch (const std::regex_error & error) {
      throw ConfigError("data.groups", "'" + pattern + "' is no regular expression");
    }
    by_themselves_ = pattern.empty();
  }

  std::string operator()(const Sample & sample) const
  {
    std::smatch found;
    if (by_themselves_ || !std::regex_search(sample.name, found, pattern_)) {
      return sample.name;
    }
    return found[found.size() > 1 ? 1 : 0].str();
  }

private:
  std::regex pattern_;
  bool by_themselves_ = true;
};

/// Takes a share of each class's images out of the training set: every n-th, or of occasions with
/// several images each that completes the share.
Dataset hold_out(Dataset & train, double share, const Occasions & occasion_of)
{
  using Key = std::pair<std::int64_t, std::string>;  // label, occasion
  std::map<Key, std::int64_t> images;
  for (const Sample & sample : train.samples) {
    ++images[{sample.label, occasion_of(sample)}];
  }
  const std::int64_t every = share > 0 ? std::max<std::int64_t>(2, std::llround(1 / share)) : 0;
  std::vector<std::int64_t> seen(train.classes.size(), 0);
  std::vector<std::int64_t> held_of(train.classes.size(), 0);
  std::map<Key, bool> is_held;
  Dataset held = train;
  held.samples.clear();
  std::vector<Sample> kept;
  for (Sample & sample : train.samples) {
    const Key key{sample.label, occasion_of(sample)};
    if (is_held.count(key) == 0) {
      const std::int64_t count = images[key];
      seen[sample.label] += count;
      is_held[key] = every > 0 && (held_of[sample.label] + count) * every <= seen[sample.label];
      held_of[sample.label] += is_held[key] ? count : 0;
    }
    (is_held[key] ? held.samples : kept).push_back(sample);
  }
  train.samples = std::move(kept);
  return held;
}

}  // namespace

TrainingData open_training_data(const TrainingConfig & training)
{
  const DataConfig & config = training.data;
  const Occasions occasions(config.groups);
  DatasetOptions options;
  options.crop_to_boxes = config.crop_to_boxes;
  TrainingData data;
  data.train = open_dataset(config.path, "train", options);
  options.evaluation = true;
  options.classes = data.train.classes;
  // Testing on what was trained on would say nothing.
  data.test = data.train.split == "all" ? hold_out(data.train, kTestShare, occasions)
                                        : open_dataset(config.path, "test", options);
  data.calibration = config.calibration.empty() ? hold_out(data.train, config.held_out, occasions)
                                                : open_dataset(config.calibration, "all", options);
  for (const auto & [name, path] : config.ood) {
    data.ood[name] = open_ood(path);
  }
  if (training.network.model.head.kind == HeadConfig().kind) {  // the others do not reject
    check_calibration(data.calibration.size(), training.finish.tpr);
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
