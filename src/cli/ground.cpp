// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The verbs that work on a finished checkpoint: project, prune, calibrate.

#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <memory>

#include "cli/calibration_text.hpp"
#include "cli/keep_memory.hpp"
#include "cli/progress_bar.hpp"
#include "cli/verbs.hpp"
#include "model/file_io.hpp"
#include "model/manifest_json.hpp"
#include "training/run/ground_checkpoint.hpp"

namespace mgproto::cli
{
namespace
{

const std::map<std::string, PruningMethod> kPruningMethods{
  {"importance", PruningMethod::importance},
  {"purity", PruningMethod::purity},
  {"merge", PruningMethod::merge}};

struct GroundOptions
{
  std::string model;
  std::string output;
  ImagesOption images;
  CalibrationOption calibration;
  bool plain_argmax = false;
  PruningOption pruning;
  double concentration = 0;
};

void add_files(CLI::App & verb, GroundOptions & options)
{
  verb.add_option("-m,--model", options.model, "checkpoint (*.safetensors)")
    ->required()
    ->type_name("FILE");
  verb.add_option("-o,--out", options.output, "checkpoint to write")->required()->type_name("FILE");
}

void add_promise(CLI::App & verb, CalibrationOption & calibration)
{
  verb.add_option("--tpr", calibration.tpr, "share of them that is to pass as known")
    ->capture_default_str()
    ->check(CLI::Range(0.0, 1.0));
  verb
    .add_option(
      "--criterion", calibration.criterion,
      "what decides: joint (all questions that the model asks) or log_density (log p(x), as "
      "published)")
    ->default_str(name(calibration.criterion))
    ->transform(CLI::CheckedTransformer(std::map<std::string, Criterion>{
      {name(Criterion::joint), Criterion::joint},
      {name(Criterion::log_density), Criterion::log_density}}));
}

void add_calibration(CLI::App & verb, CalibrationOption & calibration)
{
  verb
    .add_option(
      "--calibration", calibration.images.path,
      "held-out images to calibrate the result on; without them it is uncalibrated")
    ->type_name("DIR");
  calibration.images.split = "all";
  add_promise(verb, calibration);
}

StepProgress show_on(ProgressBars & bars)
{
  return [&bars](const std::string & what, std::int64_t done, std::int64_t total) {
    bars.step(what, done, total);
  };
}

void report(const std::string & output, const Manifest & manifest)
{
  std::cout << output << ": stage " << name(manifest.stage) << ", "
            << manifest.prototype_class.size() << " prototypes, " << calibration_text(manifest)
            << std::endl;
}

}  // namespace

void add_project(CLI::App & app)
{
  auto options = std::make_shared<GroundOptions>();
  CLI::App * verb = app.add_subcommand(
    "project", "Put every prototype on the training patch that is nearest to it");
  add_files(*verb, *options);
  verb->add_option("--data", options->images.path, "training images")->required()->type_name("DIR");
  verb->add_option("--split", options->images.split, "of the data")->capture_default_str();
  verb->add_flag(
    "--plain-argmax", options->plain_argmax, "let one training image serve several prototypes");
  add_calibration(*verb, options->calibration);
  verb->footer(
    "Example:\n"
    "  mgproto project --model latest.safetensors --data data/birds --out projected.safetensors "
    "\\\n"
    "    --calibration data/calibration");
  verb->callback([options] {
    keep_freed_memory();
    expect_writable(options->output);
    ProgressBars bars;
    report(
      options->output, project_checkpoint(
                         options->model, options->output, options->images, !options->plain_argmax,
                         options->calibration, show_on(bars)));
  });
}

void add_prune(CLI::App & app)
{
  auto options = std::make_shared<GroundOptions>();
  CLI::App * verb =
    app.add_subcommand("prune", "Keep only the most important prototypes of each class");
  add_files(*verb, *options);
  PruningOption & pruning = options->pruning;
  verb
    ->add_option(
      "--by", pruning.method,
      "importance: the largest priors; for comparison purity: at least 3 of the 6 nearest training "
      "patches are of the prototype's class; merge: the most alike of a class become one")
    ->transform(CLI::Transformer(kPruningMethods, CLI::ignore_case))
    ->type_name("METHOD")
    ->default_str("importance");
  verb->add_option("--keep", pruning.keep, "prototypes a class, by importance or merge")
    ->capture_default_str()
    ->check(CLI::PositiveNumber);
  verb->add_option("--data", pruning.images.path, "training images, for purity and merge")
    ->type_name("DIR");
  verb->add_option("--split", pruning.images.split, "of the data")->capture_default_str();
  verb->add_flag("--renormalize", pruning.renormalize, "priors of a class back to a sum of 1");
  add_calibration(*verb, options->calibration);
  verb->footer(
    "Example:\n"
    "  mgproto prune --model final.safetensors --keep 5 --out small.safetensors \\\n"
    "    --calibration data/calibration\n"
    "  mgproto prune --model final.safetensors --by purity --data data/birds --out "
    "pure.safetensors");
  verb->callback([options] {
    keep_freed_memory();
    expect_writable(options->output);
    ProgressBars bars;
    report(
      options->output,
      prune_checkpoint(
        options->model, options->output, options->pruning, options->calibration, show_on(bars)));
  });
}

void add_calibrate(CLI::App & app)
{
  auto options = std::make_shared<GroundOptions>();
  CLI::App * verb = app.add_subcommand(
    "calibrate", "Choose what counts as known from held-out images of the known classes");
  add_files(*verb, *options);
  ImagesOption & images = options->calibration.images;
  images.split = "all";
  verb->add_option("--data", images.path, "held-out images, in folders named as the classes")
    ->required()
    ->type_name("DIR");
  verb->add_option("--split", images.split, "of the data")->capture_default_str();
  add_promise(*verb, options->calibration);
  verb
    ->add_option(
      "--familiar", options->images.path,
      "its training images, for a model that asks nothing but log p(x) so far")
    ->type_name("DIR");
  verb
    ->add_option(
      "--concentration", options->concentration,
      "kappa of the densities from now on: larger, and classes that are not seen add less to p(x); "
      "0 = as it is")
    ->check(CLI::Range(0.0, 1000.0));
  verb->footer(
    "Examples:\n"
    "  mgproto calibrate --model model.safetensors --data data/calibration --tpr 0.95 \\\n"
    "    --out calibrated.safetensors\n"
    "  mgproto calibrate --model old.safetensors --familiar data/birds --data data/calibration \\\n"
    "    --out new.safetensors");
  verb->callback([options] {
    keep_freed_memory();
    expect_writable(options->output);
    ProgressBars bars;
    report(
      options->output, calibrate_checkpoint(
                         options->model, options->output, options->concentration, options->images,
                         options->calibration, show_on(bars)));
  });
}

}  // namespace mgproto::cli
