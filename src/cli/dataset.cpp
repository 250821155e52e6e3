// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "birds/birds_dataset.hpp"
#include "cli/progress_bar.hpp"
#include "cli/verbs.hpp"
#include "datasets/garbage.hpp"

namespace mgproto::cli
{
namespace
{

template <typename Drawing>
struct DrawingOptions
{
  std::string directory;
  Drawing drawing;
};

/// `write` is a function of directory, options and progress.
template <typename Drawing, typename Write>
void draw_with_bar(const DrawingOptions<Drawing> & options, const Write & write)
{
  ProgressBar bar("drawing");
  write(options.directory, options.drawing, [&](std::int64_t done, std::int64_t total) {
    bar.update(done, total);
  });
  bar.finish();
}

/// A verb with the options that every drawn data set has.
template <typename Drawing>
CLI::App * add_drawing(
  CLI::App & dataset, const std::string & name, const std::string & description,
  DrawingOptions<Drawing> & options, const std::string & seed)
{
  CLI::App * verb = dataset.add_subcommand(name, description);
  verb->add_option("-o,--out", options.directory, "directory to make")
    ->required()
    ->type_name("DIR");
  verb->add_option("--seed", options.drawing.seed, seed)->capture_default_str();
  return verb;
}

void add_birds(CLI::App & dataset)
{
  auto options = std::make_shared<DrawingOptions<birds::Options>>();
  birds::Options & birds = options->drawing;
  CLI::App * verb = add_drawing(
    dataset, "birds",
    "Draw birds whose species differ in one or two parts, with part locations and masks in\n"
    "CUB-200-2011's layout (DIR/birds), further images to calibrate on (DIR/calibration) and what\n"
    "a model must reject (DIR/ood: unseen species, vehicles, textures)",
    *options, "draws other individuals, never other species");
  verb->add_option("--classes", birds.classes, "species")->capture_default_str();
  verb->add_option("--per-class", birds.per_class, "images of each, half train half test")
    ->capture_default_str();
  verb->add_option("--size", birds.size, "pixels a side")->capture_default_str();
  verb->footer("Example:\n  mgproto dataset birds --out /tmp/birds --classes 12 --per-class 200");
  verb->callback([options] {
    draw_with_bar(*options, birds::write_dataset);
    std::cout << options->directory << ": " << options->drawing.classes << " species, "
              << options->drawing.per_class << " images each" << std::endl;
  });
}

void add_garbage(CLI::App & dataset)
{
  auto options = std::make_shared<DrawingOptions<GarbageOptions>>();
  CLI::App * verb = add_drawing(
    dataset, "garbage",
    "Draw what no working camera aimed at an object sends and every model must reject: noise,\n"
    "patterns, test charts, frames too dark, too bright, blurred or broken in transfer\n"
    "(DIR/<kind>/0000.png and so on, in sizes from 64 x 64 to 640 x 480)",
    *options, "draws other images of the same kinds");
  verb->add_option("--per-kind", options->drawing.per_kind, "images of each kind")
    ->capture_default_str();
  verb->footer("Example:\n  mgproto dataset garbage --out /tmp/garbage --per-kind 20 --seed 1");
  verb->callback([options] {
    draw_with_bar(*options, write_garbage);
    std::cout << options->directory << ": " << garbage_kinds().size() << " kinds, "
              << options->drawing.per_kind << " images each" << std::endl;
  });
}

}  // namespace

void add_dataset(CLI::App & app)
{
  CLI::App * dataset = app.add_subcommand("dataset", "Make a data set to try everything on");
  dataset->require_subcommand(1);
  add_birds(*dataset);
  add_garbage(*dataset);
}

}  // namespace mgproto::cli
