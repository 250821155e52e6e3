// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "birds/birds_dataset.hpp"
#include "cli/progress_bar.hpp"
#include "cli/verbs.hpp"

namespace mgproto::cli
{
namespace
{

struct BirdsOptions
{
  std::string directory;
  birds::Options birds;
};

void run(const BirdsOptions & options)
{
  ProgressBar bar("drawing");
  birds::write_dataset(
    options.directory, options.birds,
    [&](std::int64_t done, std::int64_t total) { bar.update(done, total); });
  bar.finish();
  std::cout << options.directory << ": " << options.birds.classes << " species, "
            << options.birds.per_class << " images each" << std::endl;
}

}  // namespace

void add_dataset(CLI::App & app)
{
  CLI::App * dataset = app.add_subcommand("dataset", "Make a data set to try everything on");
  dataset->require_subcommand(1);
  auto options = std::make_shared<BirdsOptions>();
  CLI::App * verb = dataset->add_subcommand(
    "birds",
    "Draw birds whose species differ in one or two parts, with part locations and masks in\n"
    "CUB-200-2011's layout (DIR/birds), further images to calibrate on (DIR/calibration) and what\n"
    "a model must reject (DIR/ood: unseen species, vehicles, textures)");
  verb->add_option("-o,--out", options->directory, "directory to make")
    ->required()
    ->type_name("DIR");
  verb->add_option("--classes", options->birds.classes, "species")->capture_default_str();
  verb->add_option("--per-class", options->birds.per_class, "images of each, half train half test")
    ->capture_default_str();
  verb->add_option("--size", options->birds.size, "pixels a side")->capture_default_str();
  verb->add_option("--seed", options->birds.seed, "draws other individuals, never other species")
    ->capture_default_str();
  verb->footer("Example:\n  mgproto dataset birds --out /tmp/birds --classes 12 --per-class 200");
  verb->callback([options] { run(*options); });
}

}  // namespace mgproto::cli
