// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/train.hpp"

#include <torch/torch.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/device.hpp"
#include "model/file_io.hpp"
#include "model/heads/make_head.hpp"
#include "training/config_file.hpp"
#include "training/data/loader.hpp"
#include "training/evaluate/scores.hpp"
#include "training/learn/trainer.hpp"
#include "training/report/report.hpp"
#include "training/run/finish.hpp"
#include "training/run/initial_weights.hpp"
#include "training/run/snapshot.hpp"

namespace mgproto
{
namespace
{

using nlohmann::json;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin)
{
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

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

TrainingData open_data(const DataConfig & config)
{
  DatasetOptions options;
  options.crop_to_boxes = config.crop_to_boxes;
  TrainingData data;
  data.train = open_dataset(config.path, "train", options);
  if (data.train.split == "all") {
    throw FileError(
      config.path, "has no train and test splits: testing on what was trained on says nothing");
  }
  options.evaluation = true;
  options.classes = data.train.classes;
  data.test = open_dataset(config.path, "test", options);
  data.calibration = config.calibration.empty() ? hold_out(data.train, config.held_out)
                                                : open_dataset(config.calibration, "all", options);
  DatasetOptions unlabelled;
  unlabelled.labelled = false;
  unlabelled.evaluation = true;
  for (const auto & [name, path] : config.ood) {
    data.ood[name] = open_dataset(path, "all", unlabelled);
  }
  return data;
}

std::shared_ptr<Network> make_network(const TrainingConfig & config, const Dataset & train)
{
  torch::manual_seed(config.seed);
  const torch::NoGradGuard no_grad;
  const auto classes = static_cast<int>(train.classes.size());
  const std::shared_ptr<Head> head = make_head(
    config.network.model.head, classes,
    equal_classes(classes, config.network.prototypes_per_class));
  if (auto * mixtures = dynamic_cast<GaussianHead *>(head.get());
      mixtures != nullptr && config.network.estimate_class_priors) {
    mixtures->class_priors.copy_(torch::tensor(class_frequencies(train), torch::kFloat64));
  }
  auto network = std::make_shared<Network>(config.network.model, head);
  if (!config.network.init.empty()) {
    take_initial_weights(*network, config.network.init);
  }
  return network;
}

/// metrics.jsonl, one line at a time.
class Metrics
{
public:
  /// Lines behind `bytes` were written after the snapshot that is resumed from, and go.
  Metrics(const std::string & path, std::int64_t bytes) : path_(path)
  {
    if (std::filesystem::exists(path)) {
      std::filesystem::resize_file(path, static_cast<std::uintmax_t>(bytes));
    }
    file_.open(path, std::ios::app);
    if (!file_) {
      throw FileError(path, "cannot be written");
    }
  }

  void write(const json & line) { file_ << line.dump() << std::endl; }
  std::int64_t bytes() const
  {
    return static_cast<std::int64_t>(std::filesystem::file_size(path_));
  }

private:
  std::string path_;
  std::ofstream file_;
};

class Run
{
public:
  Run(
    const TrainingConfig & config, const std::string & directory, bool resume,
    const TrainingObserver & observer, const std::atomic<bool> & stop)
  : config_(config),
    directory_(directory),
    observer_(observer),
    stop_(stop),
    data_(open_data(config.data)),
    network_(make_network(config, data_.train)),
    trainer_(config, network_)
  {
    manifest_.classes = data_.train.classes;
    manifest_.preprocessing = config.network.preprocessing;
    manifest_.stage = Stage::trained;
    manifest_.training = json{{"config", to_yaml(config)}}.dump();
    prepare_directory(resume);
  }

  TrainingEnd operator()()
  {
    Loader loader(data_.train, training_loader());
    observer_.say(
      std::to_string(data_.train.size()) + " training, " + std::to_string(data_.test.size()) +
      " test, " + std::to_string(data_.calibration.size()) + " calibration images of " +
      std::to_string(data_.train.classes.size()) + " classes");
    Metrics metrics(directory_ + "/metrics.jsonl", position_.metrics_bytes);
    while (position_.epoch < config_.schedule.epochs) {
      if (!run_epoch(loader, metrics)) {
        save_snapshot(metrics);
        return TrainingEnd::stopped;
      }
    }
    for (const BrokenImage & broken : loader.broken()) {
      observer_.say("skipped: " + broken.problem);
    }
    return finish();
  }

private:
  /// What follows the last epoch changes no snapshot, so it can be stopped anywhere and done again.
  TrainingEnd finish()
  {
    struct StopRequested
    {
    };
    TrainingObserver stoppable = observer_;
    stoppable.progress = [&](
                           const std::string & what, std::int64_t done, std::int64_t total,
                           const std::string & details) {
      observer_.progress(what, done, total, details);
      if (stop_) {
        throw StopRequested();
      }
    };
    try {
      finish_training(
        config_, directory_, network_, manifest_, data_, stoppable, seconds_since(begin_));
    } catch (const StopRequested &) {
      return TrainingEnd::stopped;
    }
    write_report(directory_);
    return TrainingEnd::finished;
  }

  void prepare_directory(bool resume)
  {
    const std::string snapshot = directory_ + "/snapshot.safetensors";
    if (resume) {
      position_ = read_snapshot(snapshot);
      trainer_.restore(position_.state);
      position_.state.clear();
      observer_.say(
        "resuming in epoch " + std::to_string(position_.epoch + 1) + " at batch " +
        std::to_string(position_.batch));
      return;
    }
    std::error_code error;
    if (!std::filesystem::create_directories(directory_, error)) {
      throw FileError(
        directory_, error ? "cannot be made: " + error.message()
                          : "exists already: choose another directory, or resume it");
    }
    const std::string yaml = to_yaml(config_);
    write_atomically(directory_ + "/config.yaml", {{yaml.data(), yaml.size()}});
  }

  LoaderConfig training_loader() const
  {
    LoaderConfig loader;
    loader.preprocessing = config_.network.preprocessing;
    if (config_.data.augment) {
      loader.augmentation = config_.data.augmentation;
    }
    loader.order = config_.data.balanced  ? SampleOrder::balanced
                   : config_.data.shuffle ? SampleOrder::shuffled
                                          : SampleOrder::as_listed;
    loader.seed = config_.seed;
    loader.batch_size = config_.schedule.batch;
    loader.drop_last = config_.data.shuffle;
    loader.strict = config_.data.strict;
    loader.workers = config_.data.workers;
    loader.cache = config_.data.cache_megabytes > 0;
    loader.cache_bytes = static_cast<std::size_t>(config_.data.cache_megabytes) << 20;
    return loader;
  }

  /// From where it stands to the end of the epoch. False if it was stopped on the way.
  bool run_epoch(Loader & loader, Metrics & metrics)
  {
    const auto begin = Clock::now();
    const std::int64_t batches = loader.batches_per_epoch();
    const auto snapshot_every = std::max<std::int64_t>(
      1, std::llround(config_.checkpoint_every * static_cast<double>(batches)));
    double right = 0;
    std::int64_t images = 0;
    Batch batch;
    loader.start(position_.epoch, position_.batch);
    double waited = loader.seconds_waited();
    while (loader.next(batch)) {
      const double epoch = static_cast<double>(position_.epoch) +
                           static_cast<double>(batch.index) / static_cast<double>(batches);
      const auto step_begin = Clock::now();
      const StepReport step = learn(batch, epoch);
      const double data_seconds = loader.seconds_waited() - waited;
      waited = loader.seconds_waited();
      const double rate = batch.count / (data_seconds + seconds_since(step_begin));
      json line{
        {"type", "iteration"},
        {"epoch", position_.epoch},
        {"iteration", position_.epoch * batches + batch.index},
        {"ce", step.ce},
        {"mine", step.mining},
        {"aux", step.aux},
        {"total", step.total},
        {"accuracy", step.accuracy},
        {"memory_fill", step.memory_fill},
        {"images_per_second", rate},
        {"seconds",
         {{"data", data_seconds},
          {"forward", step.seconds_forward},
          {"backward", step.seconds_backward},
          {"em", step.seconds_em}}}};
      for (const auto & [name, value] : step.others) {
        line[name] = value;
      }
      metrics.write(line);
      right += step.accuracy * batch.count;
      images += batch.count;
      position_.batch = batch.index + 1;
      show(batch, batches, step, rate);
      const bool epoch_ends = position_.batch == batches;
      if (!epoch_ends && (position_.epoch * batches + position_.batch) % snapshot_every == 0) {
        save_snapshot(metrics);
      }
      if (stop_ && !epoch_ends) {
        return false;
      }
    }
    end_epoch(metrics, images > 0 ? right / static_cast<double>(images) : 0, seconds_since(begin));
    return !stop_;
  }

  StepReport learn(Batch & batch, double epoch)
  {
    try {
      return trainer_.step(
        images_of(batch), torch::tensor(batch.labels, torch::kInt64), epoch, batch.views);
    } catch (const NonFiniteLoss & error) {
      throw Error(
        "epoch " + std::to_string(position_.epoch + 1) + ", batch " + std::to_string(batch.index) +
        " (first image " + data_.train.samples[batch.images.front()].name + "): " + error.what() +
        "; the last good state is in " + directory_ + "/snapshot.safetensors");
    }
  }

  void show(
    const Batch & batch, std::int64_t batches, const StepReport & step, double images_per_second)
  {
    char details[160];
    std::snprintf(
      details, sizeof(details), "epoch %lld/%d  ce %.3f  mine %.3f  aux %.3f  acc %.2f  %.0f img/s",
      static_cast<long long>(position_.epoch + 1), config_.schedule.epochs, step.ce, step.mining,
      step.aux, step.accuracy, images_per_second);
    observer_.progress(
      "training", position_.epoch * batches + batch.index + 1, config_.schedule.epochs * batches,
      details);
  }

  bool is_due(int every) const { return every > 0 && (position_.epoch + 1) % every == 0; }

  double test_accuracy()
  {
    Loader loader(data_.test, evaluation_loader(config_));
    return score(*network_, loader).accuracy();
  }

  void end_epoch(Metrics & metrics, double train_accuracy, double seconds)
  {
    const bool projects =
      is_due(config_.schedule.project_every) && network_->prototype_head() != nullptr;
    std::optional<double> accuracy;
    if (
      projects || is_due(config_.schedule.test_every) ||
      position_.epoch + 1 == config_.schedule.epochs) {
      accuracy = test_accuracy();
    }
    const auto health = trainer_.method().health();
    const auto if_known = [&](double MixtureHealth::*number) {
      return health ? json((*health).*number) : json();
    };
    const LearningRates rates = rates_at(config_, static_cast<double>(position_.epoch));
    metrics.write(
      {{"type", "epoch"},
       {"epoch", position_.epoch},
       {"train_accuracy", train_accuracy},
       {"test_accuracy", accuracy ? json(*accuracy) : json()},
       {"mean_pairwise_distance", if_known(&MixtureHealth::mean_pairwise_distance)},
       {"distinct_patches", if_known(&MixtureHealth::distinct_nearest_features)},
       {"largest_responsibility", if_known(&MixtureHealth::mean_largest_responsibility)},
       {"learning_rates",
        {{"backbone", rates.backbone},
         {"add_on", rates.add_on},
         {"proxies", rates.proxies},
         {"em", rates.em}}},
       {"seconds", seconds}});
    char text[160];
    std::snprintf(
      text, sizeof(text), "epoch %lld: train %.1f %%", static_cast<long long>(position_.epoch + 1),
      100 * train_accuracy);
    std::string line = text;
    if (accuracy) {
      std::snprintf(text, sizeof(text), ", test %.1f %%", 100 * *accuracy);
      line += text;
    }
    if (health) {
      std::snprintf(
        text, sizeof(text), ", pairwise distance %.3f, distinct %.1f, largest responsibility %.2f",
        health->mean_pairwise_distance, health->distinct_nearest_features,
        health->mean_largest_responsibility);
      line += text;
    }
    observer_.say(line);
    if (projects) {
      project_in_between(metrics, *accuracy);
    }
    if (accuracy && *accuracy > position_.best_accuracy) {
      position_.best_accuracy = *accuracy;
      save_checkpoint(directory_ + "/best.safetensors", *network_, manifest_);
    }
    ++position_.epoch;
    position_.batch = 0;
    save_snapshot(metrics);
    save_checkpoint(directory_ + "/latest.safetensors", *network_, manifest_);
    write_report(directory_);
  }

  /// The hard projection that ScheduleConfig::project_every asks for.
  void project_in_between(Metrics & metrics, double accuracy_before)
  {
    project_hard(config_, *network_, data_.train, observer_);
    const double accuracy = test_accuracy();
    metrics.write(
      {{"type", "projection"},
       {"epoch", position_.epoch},
       {"before", accuracy_before},
       {"after", accuracy}});
    char line[80];
    std::snprintf(
      line, sizeof(line), "projected: test %.1f %%, before %.1f %%", 100 * accuracy,
      100 * accuracy_before);
    observer_.say(line);
  }

  void save_snapshot(const Metrics & metrics)
  {
    Snapshot snapshot = position_;
    snapshot.state = trainer_.state();
    snapshot.metrics_bytes = metrics.bytes();
    write_snapshot(directory_ + "/snapshot.safetensors", snapshot);
  }

  const TrainingConfig config_;
  const std::string directory_;
  const TrainingObserver & observer_;
  const std::atomic<bool> & stop_;
  const Clock::time_point begin_ = Clock::now();
  TrainingData data_;
  std::shared_ptr<Network> network_;
  Trainer trainer_;
  Manifest manifest_;
  Snapshot position_;
};

}  // namespace

TrainingEnd train(
  const TrainingConfig & config, const std::string & run_directory, bool resume,
  const TrainingObserver & observer, const std::atomic<bool> & stop)
{
  use_threads(config.threads);
  Run run(config, run_directory, resume, observer, stop);
  return run();
}

}  // namespace mgproto
