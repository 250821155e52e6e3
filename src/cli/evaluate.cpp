// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `evaluate`: what a checkpoint can do, as a table or as JSON.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/keep_memory.hpp"
#include "cli/named_folders.hpp"
#include "cli/progress_bar.hpp"
#include "cli/verbs.hpp"
#include "mgproto_ros/error.hpp"
#include "training/run/evaluate_checkpoint.hpp"

namespace mgproto::cli
{
namespace
{

using Json = nlohmann::ordered_json;

struct EvaluateOptions
{
  std::string model;
  EvaluationOptions evaluation;
  std::vector<std::string> ood;
  bool no_cache = false;
  bool json = false;
};

std::string percent(const Json & share)
{
  if (share.is_null()) {
    return "-";
  }
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f %%", 100 * share.get<double>());
  return text;
}

std::string number(const Json & value)
{
  if (value.is_null()) {
    return "-";
  }
  char text[32];
  std::snprintf(text, sizeof(text), "%.3f", value.get<double>());
  return text;
}

void print_row(const std::string & name, const std::vector<std::string> & cells)
{
  std::printf("  %-14s", name.c_str());
  for (const std::string & cell : cells) {
    std::printf("%12s", cell.c_str());
  }
  std::printf("\n");
}

void print_recognition(const Json & result)
{
  std::printf(
    "%lld images: accuracy %s, top 5 %s, calibration error %s, cross-entropy %s\n",
    result["count"].get<long long>(), percent(result["accuracy"]).c_str(),
    percent(result["top5"]).c_str(), percent(result["ece"]).c_str(),
    number(result["cross_entropy"]).c_str());
  if (result["broken"] > 0) {
    std::printf("%lld images could not be read\n", result["broken"].get<long long>());
  }
  if (result.contains("calibrated")) {
    std::printf(
      "known by the checkpoint's threshold: %s\n", percent(result["calibrated"]["tpr"]).c_str());
  }
  for (const auto & [name, count] : result["left_out"].items()) {
    std::printf(
      "the model does not know '%s': %lld images left out\n", name.c_str(), count.get<long long>());
  }
  for (const Json & one : result["per_class"]) {
    if (one["accuracy"].is_null() || one["accuracy"] < result["accuracy"]) {
      std::printf(
        "  below the mean: %s %s of %lld\n", one["name"].get<std::string>().c_str(),
        percent(one["accuracy"]).c_str(), one["count"].get<long long>());
    }
  }
}

void print_rejection(const std::string & name, const Json & set)
{
  if (set.contains("error")) {
    std::printf("\n%s: %s\n", name.c_str(), set["error"].get<std::string>().c_str());
    return;
  }
  std::printf(
    "\n%s, %lld images, taken for known by the threshold: %s (the images above are positive)\n",
    name.c_str(), set["count"].get<long long>(), percent(set["passed"]).c_str());
  print_row("score", {"FPR95", "AUROC", "AUPR-in", "AUPR-out"});
  for (const auto & [score, values] : set["scores"].items()) {
    if (values.is_null()) {
      print_row(score, {"-", "-", "-", "-"});
    } else {
      print_row(
        score, {percent(values["fpr95"]), percent(values["auroc"]), percent(values["aupr_in"]),
                percent(values["aupr_out"])});
    }
  }
}

void print_pruning(const Json & table)
{
  std::printf("\npruning\n");
  std::vector<std::string> head{"a class", "prototypes", "accuracy"};
  for (const auto & set : table.front()["ood"].items()) {
    head.push_back("FPR95 " + set.key().substr(0, 5));
  }
  print_row("by", head);
  for (const Json & row : table) {
    std::vector<std::string> cells{
      row["keep"].is_null() ? "-" : std::to_string(row["keep"].get<int>()),
      std::to_string(row["prototypes"].get<int>()), percent(row["accuracy"])};
    for (const Json & set : row["ood"]) {
      cells.push_back(percent(set["fpr95"]));
    }
    print_row(row["method"], cells);
  }
}

void print_table(const Json & result)
{
  print_recognition(result);
  for (const auto & [name, set] : result["ood"].items()) {
    print_rejection(name, set);
  }
  if (result.contains("projected") && !result["projected"].is_null()) {
    std::printf(
      "\nafter projection: accuracy %s, %.1f distinct patches a class\n",
      percent(result["projected"]["accuracy"]).c_str(),
      result["projected"]["distinct_patches"].get<double>());
  }
  if (result.contains("pruning") && !result["pruning"].is_null()) {
    print_pruning(result["pruning"]);
  }
  if (!result["interpretability"].empty()) {
    std::printf("\ninterpretability\n");
  }
  for (const auto & [name, value] : result["interpretability"].items()) {
    std::printf("  %-26s%12s\n", name.c_str(), number(value).c_str());
  }
}

}  // namespace

void add_evaluate(CLI::App & app)
{
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App * verb = app.add_subcommand(
    "evaluate", "Accuracy, rejection of strangers and quality of the prototypes of a checkpoint");
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
    ->add_option("--dauc-every", evaluation.dauc_every, "DAUC of every so many-th image; 0 = none")
    ->capture_default_str()
    ->check(CLI::NonNegativeNumber);
  verb->add_flag(
    "!--no-interpretability", evaluation.interpretability,
    "not how well prototypes fit parts and masks");
  verb
    ->add_option(
      "--prune", evaluation.prune, "also with so many prototypes a class, chosen in three ways")
    ->delimiter(',')
    ->allow_extra_args(false)
    ->type_name("M,M...")
    ->check(CLI::PositiveNumber);
  verb->add_flag(
    "--project", evaluation.project, "also after projection onto the data's training split");
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
    if (!options->no_cache) {
      options->evaluation.cache = evaluation_cache_directory();
    }
    ProgressBars bars;
    const Json result = evaluate_checkpoint(
      options->model, options->evaluation,
      [&](const std::string & what, std::int64_t done, std::int64_t total) {
        bars.step(what, done, total);
      });
    if (options->json) {
      std::cout << result.dump() << std::endl;
    } else {
      print_table(result);
    }
  });
}

}  // namespace mgproto::cli
