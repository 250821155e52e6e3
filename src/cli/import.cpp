// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/import.hpp"

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>

#include "cli/verbs.hpp"
#include "mgproto_ros/error.hpp"
#include "model/file_io.hpp"
#include "model/manifest_json.hpp"

namespace mgproto::cli
{
namespace
{

struct Options
{
  std::string file;
  std::string output;
  std::string class_list;
  bool eight_bit = false;
  ImportOptions import;
};

/// One name a line; CUB's "1 001.Name" loses its number.
std::vector<std::string> read_class_list(const std::string & path)
{
  std::ifstream file(path);
  if (!file) {
    throw FileError(path, "cannot be read");
  }
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);) {
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0) {
      line.pop_back();
    }
    if (line.empty()) {
      continue;
    }
    const auto space = line.find(' ');
    const bool numbered =
      space != std::string::npos && line.find_first_not_of("0123456789") == space;
    names.push_back(numbered ? line.substr(space + 1) : line);
  }
  return names;
}

void run(Options & options)
{
  if (!options.class_list.empty()) {
    options.import.classes = read_class_list(options.class_list);
  }
  if (options.eight_bit) {
    options.import.storage = WeightStorage::eight_bit;
  }
  expect_writable(options.output);
  const ImportSummary imported = import_state_dict(options.file, options.output, options.import);
  const Manifest & manifest = imported.manifest;
  std::cout << options.output << ": " << manifest.model.backbone.architecture << ", stage "
            << name(manifest.stage);
  if (manifest.stage != Stage::backbone) {
    std::cout << ", " << manifest.classes.size() << " classes, " << manifest.prototype_class.size()
              << " prototypes of " << manifest.model.head.feature_dim << " features";
  }
  std::cout << '\n';
  if (!imported.ignored.empty()) {
    constexpr std::size_t kShown = 6;
    const std::size_t count = imported.ignored.size();
    std::cout << "not needed: ";
    for (std::size_t i = 0; i < std::min(count, kShown); ++i) {
      std::cout << (i == 0 ? "" : ", ") << imported.ignored[i];
    }
    if (count > kShown) {
      std::cout << " and " << count - kShown << " more";
    }
    std::cout << '\n';
  }
}

}  // namespace

void add_import(CLI::App & app)
{
  auto options = std::make_shared<Options>();
  CLI::App * verb = app.add_subcommand(
    "import", "A PyTorch state_dict (torchvision's, or the MGProto authors') as a checkpoint");
  verb->add_option("file", options->file, "file written by torch.save, zip or legacy")
    ->required()
    ->type_name("FILE.pth");
  verb->add_option("-o,--out", options->output, "checkpoint to write (*.safetensors)")
    ->required()
    ->type_name("FILE");
  verb
    ->add_option(
      "--architecture", options->import.architecture, "read off the tensors if not given")
    ->check(CLI::IsMember(architectures()));
  verb->add_option("--size", options->import.preprocessing.size, "input size in pixels")
    ->capture_default_str()
    ->check(CLI::Range(1, 4096));
  verb
    ->add_option(
      "--preprocessing", options->import.preprocessing.mode,
      "resize: to the input size; resize_crop: shorter side first, then the centre")
    ->transform(CLI::CheckedTransformer(std::map<std::string, PreprocessingConfig::Mode>{
      {"resize", PreprocessingConfig::Mode::resize},
      {"resize_crop", PreprocessingConfig::Mode::resize_crop}}));
  verb
    ->add_option(
      "--shorter-side", options->import.preprocessing.shorter_side,
      "of resize_crop, in pixels; 0 = size * 8 / 7")
    ->check(CLI::NonNegativeNumber);
  verb->add_flag(
    "--stem-pool", options->import.stem_pool, "keep the max-pool that MGProto drops (stride 32)");
  verb->add_option("--upsample", options->import.upsample, "up-sample the feature map")
    ->capture_default_str()
    ->check(CLI::Range(1, 8));
  verb
    ->add_option(
      "--map", options->import.map,
      "last: the last stage, as published; dilated: the same without its stride, from the same "
      "weights, usually with --stem-pool; penultimate: the stage before it; hypercolumn: dilated "
      "and "
      "penultimate stacked")
    ->transform(CLI::CheckedTransformer(std::map<std::string, BackboneConfig::Map>{
      {"last", BackboneConfig::Map::last},
      {"dilated", BackboneConfig::Map::dilated},
      {"penultimate", BackboneConfig::Map::penultimate},
      {"hypercolumn", BackboneConfig::Map::hypercolumn}}));
  verb->add_flag(
    "--stride-in-1x1", options->import.stride_in_1x1,
    "bottlenecks with their stride on the first 1x1 (ResNet v1) instead of the 3x3");
  verb->add_flag(
    "--eight-bit", options->eight_bit,
    "store the backbone's convolutions in eight bits, a quarter of the size");
  verb->add_option("--classes", options->class_list, "file with a class name a line")
    ->type_name("FILE");
  verb->footer(
    "Examples:\n"
    "  mgproto import resnet34-b627a593.pth --out resnet34.safetensors\n"
    "  mgproto import resnet50-0676ba61.pth --out resnet50.safetensors --stem-pool --map "
    "hypercolumn \\\n    --eight-bit\n"
    "  mgproto import 119nopush0.8224.pth --out cub.safetensors --classes CUB/classes.txt");
  verb->callback([options] { run(*options); });
}

}  // namespace mgproto::cli
