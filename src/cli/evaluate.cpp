// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `evaluate`: what a checkpoint can do, as a table or as JSON.

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/keep_memory.hpp"
#include "cli/named_folders.hpp"
#include "cli/progress_bar.hpp"
#include "cli/verbs.hpp"
#include "model/file_io.hpp"
#include "training/run/evaluate_checkpoint.hpp"

namespace mgproto::cli
{
namespace
{

struct EvaluateOptions
{
  std::string model;
  EvaluationOptions evaluation;
  std::vector<std::string> ood;
  bool no_cache = false;
  bool json = false;
};

}  // namespace

void add_evaluate(CLI::App & app)
{
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App * verb = app.add_subcommand(
    "evaluate", "Accuracy, rejection of OoD images and quality of the prototypes of a checkpoint");
  verb->add_option("-m,--model", options->model, "checkpoint (*.safetensors)")
    ->required()
    ->type_name("FILE");
  EvaluationOptions & evaluation = options->evaluation;
  verb->add_option("--data", evaluation.images.path, "images of the model's classes")
    ->required()
    ->type_name("DIR");
  verb->add_option("--split", evaluation.images.split, "of the data")->capture_default_str();
  verb->add_option("--ood", options->ood, "images to reject, under a name; often")
    ->type_name("NAME=DIR")
    ->allow_extra_args(false);
  verb
    ->add_option(
      "--garbage", evaluation.garbage,
      "images of each kind of garbage (noise, test charts, broken frames) to reject; 0 = none")
    ->capture_default_str()
    ->check(CLI::NonNegativeNumber);
  verb
    ->add_option("--dauc-every", evaluation.dauc_every, "DAUC of every so many-th image; 0 = none")
    ->capture_default_str()
    ->check(CLI::NonNegativeNumber);
  verb
    ->add_option(
      "--belief-every", evaluation.belief_every,
      "sufficient, necessary and alike of every so many-th image; 0 = none")
    ->capture_default_str()
    ->check(CLI::NonNegativeNumber);
  verb->add_flag(
    "!--no-interpretability", evaluation.interpretability,
    "not how well prototypes fit parts and masks, and may be believed");
  verb
    ->add_option(
      "--prune", evaluation.prune, "also with so many prototypes a class, chosen in three ways")
    ->delimiter(',')
    ->allow_extra_args(false)
    ->type_name("M,M...")
    ->check(CLI::PositiveNumber);
  verb->add_flag(
    "--project", evaluation.project, "also after projection onto the data's training split");
  verb
    ->add_option(
      "--scores", evaluation.scores, "also every image with every score, as CSV; not of a backbone")
    ->type_name("FILE");
  verb->add_flag("--no-cache", options->no_cache, "measure again what was measured before");
  verb->add_flag("--json", options->json, "one JSON object on standard output");
  verb->footer(
    "Example:\n"
    "  mgproto evaluate --model config/models/birds_demo.safetensors --data data/birds \\\n"
    "    --ood vehicles=data/ood/vehicles --ood unseen_species=data/ood/unseen_species \\\n"
    "    --prune 8,6,4,2,1\n"
    "Results are kept in ~/.cache/mgproto_ros and found again for the same checkpoint and images.");
  verb->callback([options] {
    keep_freed_memory();
    options->evaluation.ood = named_folders(options->ood);
    if (!options->evaluation.scores.empty()) {
      expect_writable(options->evaluation.scores);
    }
    if (!options->no_cache) {
      options->evaluation.cache = evaluation_cache_directory();
    }
    ProgressBars bars;
    const EvaluationText result = evaluate_checkpoint(
      options->model, options->evaluation,
      [&](const std::string & what, std::int64_t done, std::int64_t total) {
        bars.step(what, done, total);
      });
    std::cout << (options->json ? result.json + "\n" : result.table) << std::flush;
    for (const auto & [name, problem] : result.unusable) {
      std::cerr << "mgproto: --ood " << name << ": " << problem << "\n";
    }
    if (!result.unusable.empty()) {
      throw WorkFailed();
    }
  });
}

}  // namespace mgproto::cli
