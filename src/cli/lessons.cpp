// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/lessons.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/keep_memory.hpp"
#include "cli/progress_bar.hpp"
#include "cli/verbs.hpp"

namespace mgproto::cli
{

void add_lessons(CLI::App & app)
{
  struct Options
  {
    std::string model;
    LessonsOptions lessons;
  };
  auto options = std::make_shared<Options>();
  CLI::App * verb = app.add_subcommand(
    "lessons", "What teaching would reach: new classes taught by a few of their images, as JSON");
  verb->add_option("-m,--model", options->model, "checkpoint (*.safetensors)")
    ->required()
    ->type_name("FILE");
  verb->add_option("--data", options->lessons.images.path, "images of the model's classes")
    ->required()
    ->type_name("DIR");
  verb->add_option("--split", options->lessons.images.split, "of the data")->capture_default_str();
  verb->add_option(
    "--means", options->lessons.means_split,
    "part of the data, such as train, to compare with the nearest class mean");
  verb->add_option("--new", options->lessons.fresh, "a folder for each class to teach")
    ->required()
    ->type_name("DIR");
  verb->add_option("--shown", options->lessons.shown, "images that a class is taught by")
    ->delimiter(',')
    ->allow_extra_args(false)
    ->type_name("K,K...")
    ->check(CLI::PositiveNumber)
    ->capture_default_str();
  verb->add_option("--draws", options->lessons.draws, "choices of these images")
    ->check(CLI::PositiveNumber)
    ->capture_default_str();
  verb->add_option("--seed", options->lessons.seed, "of the choices")->capture_default_str();
  verb->footer(
    "Example:\n"
    "  mgproto lessons --model config/models/groceries.safetensors --data groceries \\\n"
    "    --new groceries/unseen --shown 1,5,10 --draws 10");
  verb->callback([options] {
    keep_freed_memory();
    ProgressBars bars;
    const std::string result = measure_lessons(
      options->model, options->lessons,
      [&](const std::string & what, std::int64_t done, std::int64_t total) {
        bars.step(what, done, total);
      });
    std::cout << result << std::endl;
  });
}

}  // namespace mgproto::cli
