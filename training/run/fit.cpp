// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/fit.hpp"

#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint_file.hpp"
#include "model/device.hpp"
#include "training/config_file.hpp"
#include "training/learn/stopwatch.hpp"
#include "training/report/report.hpp"
#include "training/run/console_text.hpp"
#include "training/run/finish.hpp"
#include "training/run/image_list.hpp"
#include "training/run/initial_weights.hpp"
#include "training/run/run_directory.hpp"
#include "training/run/training_data.hpp"
#include "training/run/whitened_start.hpp"

namespace mgproto
{

TrainingConfig fit_config(
  const std::string & backbone, const std::string & data,
  const std::vector<std::string> & overrides)
{
  const Manifest manifest = CheckpointFile::open(backbone).manifest();
  TrainingConfig config = closed_form_preset();
  config.data.path = data;
  config.network.init = backbone;
  config.network.model.backbone = manifest.model.backbone;
  config.network.preprocessing = manifest.preprocessing;
  return with_overrides(config, overrides);
}

TrainingEnd fit(
  const TrainingConfig & config, const std::string & run_directory,
  const TrainingObserver & observer, const std::atomic<bool> & stop)
{
  const Stopwatch watch;
  use_threads(config.threads);
  const TrainingData data = open_training_data(config);
  const RunLock lock = make_run_directory(run_directory);
  write_config(run_directory, config);
  write_calibration_list(run_directory, data.calibration);
  observer.say(console_text(data));
  for (const std::string & line : doubtful_images(data)) {
    observer.say("warning: " + line);
  }
  return until_stopped(observer, stop, [&](const TrainingObserver & stoppable) {
    const std::shared_ptr<Network> network = initial_network(config, data.train);
    start_whitened(*network, config, data.train, stoppable);
    const Manifest manifest = manifest_of(config, data.train);
    const TrainingResults results =
      finish_training(config, run_directory, network, manifest, data, stoppable, watch.seconds());
    write_report(run_directory, &results);
  });
}

void fit_baseline(
  const TrainingConfig & config, const std::string & run_directory,
  const TrainingObserver & observer, const std::atomic<bool> & stop)
{
  TrainingConfig baseline = closed_form_preset();
  baseline.seed = config.seed;
  baseline.threads = config.threads;
  baseline.data = config.data;
  baseline.network.init = config.network.init;
  baseline.network.model.backbone = config.network.model.backbone;
  baseline.network.model.head.feature_dim = config.network.model.head.feature_dim;
  baseline.network.prototypes_per_class = config.network.prototypes_per_class;
  baseline.network.preprocessing = config.network.preprocessing;
  baseline.schedule.batch = config.schedule.batch;
  baseline.finish.prune.clear();
  TrainingObserver named = observer;
  named.say = [&](const std::string & line) { observer.say("fit: " + line); };
  try {
    fit(baseline, run_directory + "/" + kBaseline, named, stop);
  } catch (const Error & error) {
    named.say(std::string("no baseline, ") + error.what());
  }
}

}  // namespace mgproto
