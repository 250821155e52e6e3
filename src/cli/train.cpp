// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/train.hpp"

#include <CLI/CLI.hpp>
#include <ctime>
#include <iostream>
#include <memory>

#include "cli/console_observer.hpp"
#include "cli/keep_memory.hpp"
#include "cli/stop_signal.hpp"
#include "cli/verbs.hpp"
#include "training/config_file.hpp"

namespace mgproto::cli
{
namespace
{

struct TrainOptions
{
  std::string config;
  std::string directory;
  std::string resume;
  std::string init;
  std::vector<std::string> overrides;
  std::optional<std::uint64_t> seed;
  bool settings = false;
  bool no_augment = false;
  bool no_shuffle = false;
  bool accept_changed_data = false;
  bool strict = false;
};

/// runs/<name of the config>-<date>-<time>
std::string default_directory(const std::string & config)
{
  const auto slash = config.rfind('/');
  std::string name = slash == std::string::npos ? config : config.substr(slash + 1);
  name = name.substr(0, name.rfind('.'));
  const std::time_t now = std::time(nullptr);
  char date[32];
  std::strftime(date, sizeof(date), "-%Y%m%d-%H%M%S", std::localtime(&now));
  return "runs/" + name + date;
}

void run(const TrainOptions & options)
{
  const bool resume = !options.resume.empty();
  std::vector<std::string> overrides = options.overrides;
  if (options.seed) {
    overrides.push_back("seed=" + std::to_string(*options.seed));
  }
  if (!options.init.empty()) {
    overrides.push_back("network.init=" + options.init);
  }
  if (options.no_augment) {
    overrides.push_back("data.augment=false");
  }
  if (options.no_shuffle) {
    overrides.push_back("data.shuffle=false");
  }
  if (options.strict) {
    overrides.push_back("data.strict=true");
  }
  const std::string directory = resume                       ? options.resume
                                : !options.directory.empty() ? options.directory
                                                             : default_directory(options.config);
  const TrainingConfig config =
    read_training_config(resume ? options.resume + "/config.yaml" : options.config, overrides);

  ProgressBars bars;
  const TrainingObserver observer = observer_on_console(bars);
  const std::atomic<bool> & stop = stop_on_signal();
  std::cout << "run directory " << directory << std::endl;
  const TrainingBegin begin = !resume ? TrainingBegin::anew
                              : options.accept_changed_data
                                ? TrainingBegin::resumed_with_other_images
                                : TrainingBegin::resumed;
  if (train(config, directory, begin, observer, stop) == TrainingEnd::stopped) {
    observer.say("stopped; go on with: mgproto train --resume " + directory);
    throw WorkFailed();
  }
  observer.say(directory + "/final.safetensors is ready; look at " + directory + "/report.html");
}

}  // namespace

void add_train(CLI::App & app)
{
  auto options = std::make_shared<TrainOptions>();
  CLI::App * verb = app.add_subcommand(
    "train", "Train, project, prune, calibrate and evaluate a model from images");
  CLI::Option * config =
    verb->add_option("-c,--config", options->config, "config (config/training/*.yaml)")
      ->type_name("FILE");
  CLI::Option * directory =
    verb->add_option("-o,--out", options->directory, "run directory; runs/NAME-TIME if not given")
      ->type_name("DIR");
  CLI::Option * resume =
    verb->add_option("--resume", options->resume, "run directory to go on with")->type_name("DIR");
  resume->excludes(config)->excludes(directory);
  verb->add_option("--set", options->overrides, "change a setting, as often as needed")
    ->type_name("KEY=VALUE");
  verb->add_option("--seed", options->seed, "of all random numbers");
  verb->add_option("--init", options->init, "checkpoint to start from")->type_name("FILE");
  verb->add_flag("--settings", options->settings, "print all settings as a table, and end");
  verb->add_flag("--no-augment", options->no_augment, "images as they are");
  verb->add_flag("--no-shuffle", options->no_shuffle, "in the order of the data set");
  verb
    ->add_flag(
      "--accept-changed-data", options->accept_changed_data,
      "resume although images are gone, new, changed, or in another class or set")
    ->needs(resume);
  verb->add_flag("--strict", options->strict, "a broken image ends the training");
  verb->footer(
    "Examples:\n"
    "  mgproto dataset birds --out data\n"
    "  mgproto train --config config/training/birds_demo.yaml --out runs/birds\n"
    "  mgproto train --config my.yaml --set schedule.epochs=30 --set data.path=/data/cub\n"
    "  mgproto train --resume runs/birds\n"
    "Ctrl-C saves a snapshot and says how to go on.");
  verb->callback([options, config, resume] {
    keep_freed_memory();
    if (options->settings) {
      std::cout << settings_markdown();
      return;
    }
    if (config->count() + resume->count() != 1) {
      throw CLI::RequiredError("--config or --resume");
    }
    run(*options);
  });
}

}  // namespace mgproto::cli
