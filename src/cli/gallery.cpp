// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `gallery`: pictures of what a checkpoint has learnt.

#include "training/run/gallery.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/keep_memory.hpp"
#include "cli/named_folders.hpp"
#include "cli/progress_bar.hpp"
#include "cli/verbs.hpp"

namespace mgproto::cli
{
namespace
{

const std::map<std::string, FeatureMap> kFeatureMaps{
  {"tsne", FeatureMap::tsne}, {"pca", FeatureMap::pca}, {"none", FeatureMap::none}};

struct GalleryVerb
{
  std::string model;
  std::string directory;
  GalleryOptions gallery;
  std::string map = "tsne";
  std::vector<std::string> ood;
};

void run(const GalleryVerb & options)
{
  ProgressBars bars;
  const WrittenGallery written = write_gallery(
    options.model, options.gallery, options.directory,
    [&](const std::string & what, std::int64_t done, std::int64_t total) {
      bars.step(what, done, total);
    });
  for (const std::string & file : written.files) {
    std::cout << file << "\n";
  }
  if (written.broken > 0) {
    std::cout << written.broken << " images could not be read\n";
  }
  std::cout << std::flush;
}

}  // namespace

void add_gallery(CLI::App & app)
{
  auto options = std::make_shared<GalleryVerb>();
  CLI::App * verb = app.add_subcommand(
    "gallery", "Pictures of a model: prototypes, maps of features, densities, and a page of them");
  GalleryOptions & gallery = options->gallery;
  verb->add_option("-m,--model", options->model, "checkpoint (*.safetensors)")
    ->required()
    ->type_name("FILE");
  verb->add_option("--data", gallery.images.path, "images of the model's classes")
    ->required()
    ->type_name("DIR");
  verb->add_option("--split", gallery.images.split, "of the data, to look for patches in")
    ->capture_default_str();
  verb
    ->add_option("--class", gallery.classes, "class to show, as often as needed; all if not given")
    ->type_name("NAME")
    ->allow_extra_args(false);
  verb
    ->add_option(
      "--map", options->map, "features in a plane: tsne keeps neighbours together, pca is fast")
    ->capture_default_str()
    ->check(CLI::IsMember(kFeatureMaps))
    ->type_name("METHOD");
  verb->add_option("--calibration", gallery.calibration, "held-out images of the model's classes")
    ->type_name("DIR");
  verb->add_option("--ood", options->ood, "images to reject, under a name; often")
    ->type_name("NAME=DIR")
    ->allow_extra_args(false);
  verb->add_option("-o,--out", options->directory, "directory to make")
    ->required()
    ->type_name("DIR");
  verb->footer(
    "Example:\n"
    "  mgproto gallery --model config/models/birds_demo.safetensors --data data/birds \\\n"
    "    --calibration data/calibration --ood vehicles=data/ood/vehicles --out pictures");
  verb->callback([options] {
    keep_freed_memory();
    options->gallery.map = kFeatureMaps.at(options->map);
    options->gallery.ood = named_folders(options->ood);
    run(*options);
  });
}

}  // namespace mgproto::cli
