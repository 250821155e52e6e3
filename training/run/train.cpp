// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/train.hpp"

#include <torch/torch.h>

#include <cmath>
#include <optional>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/device.hpp"
#include "model/number_text.hpp"
#include "training/config_file.hpp"
#include "training/learn/stopwatch.hpp"
#include "training/learn/trainer.hpp"
#include "training/measure/recognition.hpp"
#include "training/report/report.hpp"
#include "training/run/console_text.hpp"
#include "training/run/finish.hpp"
#include "training/run/fit.hpp"
#include "training/run/image_list.hpp"
#include "training/run/initial_weights.hpp"
#include "training/run/metrics.hpp"
#include "training/run/run_directory.hpp"
#include "training/run/training_data.hpp"
#include "training/run/whitened_start.hpp"

namespace mgproto
{
namespace
{

class Run
{
public:
  Run(
    const TrainingConfig & config, const std::string & directory, TrainingBegin how,
    const TrainingObserver & observer, const std::atomic<bool> & stop)
  : config_(config),
    directory_(directory),
    observer_(observer),
    stop_(stop),
    data_(open_training_data(config)),
    network_(initial_network(config, data_.train)),
    trainer_(config, network_),
    at_(begin(how)),
    loader_(data_.train, training_loader(config)),
    metrics_(directory + "/metrics.jsonl", at_.metrics_bytes)
  {
    manifest_ = manifest_of(config, data_.train);
  }

  /// Algorithm 1.
  TrainingEnd operator()()
  {
    observer_.say(console_text(data_));
    while (at_.epoch < config_.schedule.epochs) {
      loader_.start(at_.epoch, at_.batch);
      while (loader_.next(batch_)) {
        learn();  // network, memory, EM
        if (at_.batch < loader_.batches_per_epoch() && (stop_ || snapshot_is_due())) {
          save_snapshot();
          if (stop_) {
            return TrainingEnd::stopped;
          }
        }
      }
      const std::optional<double> accuracy = measure_epoch();
      if (projection_is_due()) {
        project(*accuracy);
      }
      begin_next_epoch();
      if (stop_) {
        save_snapshot();  // the seconds that saving took
        return TrainingEnd::stopped;
      }
    }
    for (const BrokenImage & broken : loader_.broken()) {
      observer_.say("skipped: " + broken.problem);
    }
    return finish();  // projection, pruning, calibration
  }

private:
  Position begin(TrainingBegin how)
  {
    const ImageList images(data_);
    if (how == TrainingBegin::anew) {
      lock_ = make_run_directory(directory_);
      write_config(directory_, config_);
      images.write(directory_);
      write_calibration_list(directory_, data_.calibration);
      for (const std::string & line : doubtful_images(data_)) {
        observer_.say("warning: " + line);
      }
      if (config_.finish.baseline && !config_.network.init.empty()) {
        fit_baseline(config_, directory_, observer_, stop_);
      }
      if (config_.add_on.init == AddOnConfig::Init::whitened) {
        trainer_.method().start_at(start_whitened(*network_, config_, data_.train, observer_));
      }
      return {};
    }
    lock_ = lock_run_directory(directory_);
    const Snapshot start = read_snapshot(directory_);
    compare_with_start(images, how);
    trainer_.restore(start.state);
    observer_.say(
      "resuming in epoch " + std::to_string(start.position.epoch + 1) + " at batch " +
      std::to_string(start.position.batch));
    write_config(directory_, config_);
    return start.position;
  }

  /// A training that goes on with other images knows what it is tested on, or names its classes wrongly.
  void compare_with_start(const ImageList & images, TrainingBegin how) const
  {
    const std::optional<ImageList> before = ImageList::read(directory_);
    const std::string difference = before ? before->difference(images) : "";
    if (!difference.empty() && how != TrainingBegin::resumed_with_other_images) {
      throw FileError(
        directory_, "was begun with other images: " + difference +
                      "; --accept-changed-data goes on with them nevertheless");
    }
    if (!before) {
      observer_.say(
        "warning: this run has no list of its images, so that nobody can tell changed ones");
    } else if (!difference.empty()) {
      observer_.say("warning: going on with other images: " + difference);
    }
    images.write(directory_);
  }

  void learn()
  {
    const std::int64_t batches = loader_.batches_per_epoch();
    const std::int64_t iteration = at_.epoch * batches + batch_.index;
    StepReport report = step(
      static_cast<double>(at_.epoch) +
      static_cast<double>(batch_.index) / static_cast<double>(batches));
    report.seconds_data = loader_.seconds_waited() - waited_;
    waited_ = loader_.seconds_waited();
    at_.batch = batch_.index + 1;
    at_.images += report.images;
    at_.right += report.accuracy * static_cast<double>(report.images);
    metrics_.write_step(at_.epoch, iteration, report);
    observer_.progress(
      "training", iteration + 1, config_.schedule.epochs * batches,
      "epoch " + std::to_string(at_.epoch + 1) + "/" + std::to_string(config_.schedule.epochs) +
        "  " + console_text(report));
  }

  StepReport step(double epoch)
  {
    try {
      return trainer_.step(
        images_of(batch_), torch::tensor(batch_.labels, torch::kInt64), epoch, batch_.views);
    } catch (const NonFiniteLoss & error) {
      throw Error(
        "epoch " + std::to_string(at_.epoch + 1) + ", batch " + std::to_string(batch_.index) +
        " (first image " + data_.train.samples[batch_.images.front()].name + "): " + error.what() +
        "; the last good state is in " + directory_ + "/snapshot.safetensors");
    }
  }

  /// The test accuracy, if this is an epoch to look at it.
  std::optional<double> measure_epoch()
  {
    EpochReport report;
    report.epoch = at_.epoch;
    report.seconds = seconds() - at_.epoch_begin;
    report.train_accuracy = at_.images > 0 ? at_.right / static_cast<double>(at_.images) : 0;
    if (
      projection_is_due() || is_due(config_.schedule.test_every) ||
      at_.epoch + 1 == config_.schedule.epochs) {
      report.test_accuracy = test_accuracy();
    }
    report.health = trainer_.method().health();
    report.rates = rates_at(config_, static_cast<double>(at_.epoch));
    metrics_.write_epoch(report);
    observer_.say(console_text(report));
    return report.test_accuracy;
  }

  void project(double accuracy_before)
  {
    project_hard(config_, *network_, data_.train, observer_);
    const double accuracy = test_accuracy();
    metrics_.write_projection(at_.epoch, accuracy_before, accuracy);
    observer_.say("projected: test " + percent(accuracy) + ", before " + percent(accuracy_before));
  }

  void begin_next_epoch()
  {
    ++at_.epoch;
    at_.batch = 0;
    at_.images = 0;
    at_.right = 0;
    at_.epoch_begin = seconds();
    save_snapshot();
    save_checkpoint(directory_ + "/latest.safetensors", *network_, manifest_);
    write_report(directory_);
  }

  /// What follows the last epoch keeps the snapshot's state, so it can be stopped anywhere and done
  /// again.
  TrainingEnd finish()
  {
    const TrainingEnd end =
      until_stopped(observer_, stop_, [&](const TrainingObserver & stoppable) {
        if (config_.add_on.refit) {
          start_whitened(*network_, config_, data_.train, stoppable);
        }
        const TrainingResults results =
          finish_training(config_, directory_, network_, manifest_, data_, stoppable, seconds());
        write_report(directory_, &results);
      });
    if (end == TrainingEnd::stopped) {
      Snapshot snapshot = read_snapshot(directory_);  // the network itself is projected by now
      snapshot.position.seconds = seconds();
      write_snapshot(directory_, snapshot);
    }
    return end;
  }

  double test_accuracy()
  {
    Loader loader(data_.test, evaluation_loader(config_));
    return accuracy(*network_, loader);
  }

  bool is_due(int every) const { return every > 0 && (at_.epoch + 1) % every == 0; }

  bool projection_is_due()
  {
    return is_due(config_.schedule.project_every) && network_->prototype_head() != nullptr;
  }

  bool snapshot_is_due() const
  {
    const std::int64_t batches = loader_.batches_per_epoch();
    const auto every = std::max<std::int64_t>(
      1, std::llround(config_.checkpoint_every * static_cast<double>(batches)));
    return (at_.epoch * batches + at_.batch) % every == 0;
  }

  /// Of the whole run, those before it was resumed, too.
  double seconds() const { return at_.seconds + watch_.seconds(); }

  void save_snapshot()
  {
    Position now = at_;
    now.seconds = seconds();
    now.metrics_bytes = metrics_.bytes();
    write_snapshot(directory_, {now, trainer_.state()});
  }

  const Stopwatch watch_;
  const TrainingConfig config_;
  const std::string directory_;
  RunLock lock_;
  const TrainingObserver & observer_;
  const std::atomic<bool> & stop_;
  TrainingData data_;
  std::shared_ptr<Network> network_;
  Trainer trainer_;
  Manifest manifest_;
  Position at_;  // its seconds and metrics_bytes are those of the start
  Loader loader_;
  Metrics metrics_;
  Batch batch_;
  double waited_ = 0;  // for images, until the last batch
};

}  // namespace

TrainingEnd until_stopped(
  const TrainingObserver & observer, const std::atomic<bool> & stop,
  const std::function<void(const TrainingObserver &)> & work)
{
  struct StopRequested
  {
  };
  TrainingObserver stoppable = observer;
  stoppable.progress = [&](
                         const std::string & what, std::int64_t done, std::int64_t total,
                         const std::string & details) {
    observer.progress(what, done, total, details);
    if (stop) {
      throw StopRequested();
    }
  };
  try {
    work(stoppable);
  } catch (const StopRequested &) {
    return TrainingEnd::stopped;
  }
  return TrainingEnd::finished;
}

TrainingEnd train(
  const TrainingConfig & config, const std::string & run_directory, TrainingBegin begin,
  const TrainingObserver & observer, const std::atomic<bool> & stop)
{
  use_threads(config.threads);
  return Run(config, run_directory, begin, observer, stop)();
}

}  // namespace mgproto
