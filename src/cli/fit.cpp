// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/fit.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/console_observer.hpp"
#include "cli/keep_memory.hpp"
#include "cli/shipped_file.hpp"
#include "cli/stop_signal.hpp"
#include "cli/verbs.hpp"
#include "mgproto_ros/error.hpp"

namespace mgproto::cli
{
namespace
{

struct FitOptions
{
  std::string data;
  std::string backbone;
  std::string directory;
  std::vector<std::string> ood;
  std::vector<std::string> overrides;
  std::optional<std::uint64_t> seed;
};

/// What is asked for, or the one that comes with the package.
std::string backbone_of(const FitOptions & options)
{
  const std::string name = "config/models/resnet50_imagenet.safetensors";
  const std::string file = options.backbone.empty() ? shipped_file(name) : options.backbone;
  if (file.empty()) {
    throw FileError(
      name, "is neither here nor where this command is installed; --backbone FILE names another");
  }
  return file;
}

void run_fit(const FitOptions & options)
{
  std::vector<std::string> overrides = options.overrides;
  for (const std::string & set : options.ood) {
    overrides.push_back("data.ood." + set);
  }
  if (options.seed) {
    overrides.push_back("seed=" + std::to_string(*options.seed));
  }
  const std::string backbone = backbone_of(options);
  const TrainingConfig config = fit_config(backbone, options.data, overrides);
  ProgressBars bars;
  const TrainingObserver observer = observer_on_console(bars);
  std::cout << "backbone " << backbone << "\nrun directory " << options.directory << std::endl;
  if (fit(config, options.directory, observer, stop_on_signal()) == TrainingEnd::stopped) {
    observer.say("stopped; nothing can be gone on with, begin anew in another directory");
    throw WorkFailed();
  }
  observer.say(
    options.directory + "/final.safetensors is ready; look at " + options.directory +
    "/report.html");
}

}  // namespace

void add_fit(CLI::App & app)
{
  auto options = std::make_shared<FitOptions>();
  CLI::App * verb = app.add_subcommand(
    "fit", "A model in a minute, without training: everything in closed form from a backbone");
  verb
    ->add_option(
      "--data", options->data, "image folders, CSV list, CUB-200-2011 or CIFAR-10, as for train")
    ->required()
    ->type_name("DIR");
  verb
    ->add_option(
      "--backbone", options->backbone,
      "imported weights (mgproto import), or any model's; if not given ImageNet's ResNet50 that "
      "comes along")
    ->type_name("FILE");
  verb->add_option("-o,--out", options->directory, "run directory")->required()->type_name("DIR");
  verb->add_option("--ood", options->ood, "a set to reject, as often as needed")
    ->type_name("NAME=DIR");
  verb->add_option("--set", options->overrides, "change a setting, as often as needed")
    ->type_name("KEY=VALUE");
  verb->add_option("--seed", options->seed, "of all random numbers");
  verb->footer(
    "Examples:\n"
    "  mgproto fit --data photos --out runs/fit\n"
    "  mgproto fit --data photos --out runs/cut --set backbone.map=penultimate \\\n"
    "    --ood cars=photos_of_cars\n"
    "  mgproto import resnet34-b627a593.pth --out resnet34.safetensors --stem-pool --map "
    "hypercolumn\n"
    "  mgproto fit --data photos --backbone resnet34.safetensors --out runs/small\n"
    "The settings are those of train (mgproto train --settings).");
  verb->callback([options] {
    keep_freed_memory();
    run_fit(*options);
  });
}

}  // namespace mgproto::cli
