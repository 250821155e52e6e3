// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/calibration_text.hpp"
#include "cli/verbs.hpp"
#include "model/checkpoint_file.hpp"
#include "model/manifest_json.hpp"
#include "model/utf8.hpp"

namespace mgproto::cli
{
namespace
{

struct InfoOptions
{
  std::string file;
  bool json = false;
};

struct ParameterCount
{
  std::int64_t all = 0;
  std::int64_t in_eight_bits = 0;
};

ParameterCount parameters(const CheckpointFile & file)
{
  ParameterCount count;
  std::int64_t scales = 0;
  for (const auto & [name, tensor] : file.tensors()) {
    const bool statistics = name.find(".running_") != std::string::npos;
    if (tensor.dtype == DType::f32 && !statistics) {
      count.all += static_cast<std::int64_t>(tensor.bytes / sizeof(float));
    } else if (tensor.dtype == DType::i8) {
      count.in_eight_bits += static_cast<std::int64_t>(tensor.bytes);
      scales += tensor.shape[0];
    }
  }
  count.all += count.in_eight_bits - scales;
  return count;
}

std::string parameters_text(const CheckpointFile & file)
{
  const ParameterCount count = parameters(file);
  std::string text = std::to_string(count.all);
  if (count.in_eight_bits > 0) {
    text += ", of which " + std::to_string(count.in_eight_bits) +
            " weights of convolutions are stored in eight bits";
  }
  return text;
}

void print_json(const CheckpointFile & file)
{
  const Manifest & manifest = file.manifest();
  nlohmann::json result = nlohmann::json::parse(to_json(manifest));
  result["file"] = file.path();
  result["parameters"] = parameters(file).all;
  result["eight_bit_parameters"] = parameters(file).in_eight_bits;
  result["prototype_class"] = manifest.prototype_class;
  result["prototype_prior"] = manifest.prototype_prior;
  std::cout << result.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
}

void print_row(const char * key, const std::string & value)
{
  std::cout << std::left << std::setw(16) << key << value << '\n';
}

std::string number(double value)
{
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string backbone_text(const BackboneConfig & backbone)
{
  std::string text = terminal_safe(backbone.architecture);
  if (!backbone.stages.empty()) {
    text += ", stages";
    for (const int blocks : backbone.stages) {
      text += " " + std::to_string(blocks);
    }
  }
  text += backbone.width != 1.0 ? ", width " + number(backbone.width) : "";
  text += backbone.stem != "imagenet" ? ", stem " + terminal_safe(backbone.stem) : "";
  text += backbone.stem_pool ? ", pool kept" : ", pool dropped";
  text += backbone.stride_in_1x1 ? ", stride in the 1x1" : "";
  text +=
    backbone.map != BackboneConfig::Map::last ? ", map " + std::string(name(backbone.map)) : "";
  text += backbone.upsample > 1 ? ", upsampled x" + std::to_string(backbone.upsample) : "";
  return text;
}

std::string prototypes_text(const Manifest & manifest)
{
  std::vector<int> count(manifest.classes.size(), 0);
  for (const int c : manifest.prototype_class) {
    ++count[c];
  }
  const auto [least, most] = std::minmax_element(count.begin(), count.end());
  std::string text = std::to_string(manifest.prototype_class.size()) + ", " +
                     std::to_string(*least) +
                     (*least == *most ? "" : " to " + std::to_string(*most)) + " a class, of " +
                     std::to_string(manifest.model.head.feature_dim) + " features";
  const auto projected = std::count_if(
    manifest.prototypes.begin(), manifest.prototypes.end(),
    [](const auto & source) { return source.has_value(); });
  return text + "; " + std::to_string(projected) + " stand for a training patch";
}

std::string classes_text(const std::vector<std::string> & classes)
{
  constexpr std::size_t kShown = 8;
  std::string text = std::to_string(classes.size()) + ":";
  for (std::size_t c = 0; c < std::min(classes.size(), kShown); ++c) {
    text += (c == 0 ? " " : ", ") + terminal_safe(classes[c]);
  }
  return text + (classes.size() > kShown ? ", ..." : "");
}

std::string taught_text(const TaughtClass & taught)
{
  const std::size_t images = taught.images.size();
  return terminal_safe(taught.name) + ", " + terminal_safe(taught.when) + ", by " +
         std::to_string(images) + (images == 1 ? " image: " : " images: ") +
         terminal_safe(taught.images.front().name) + (images > 1 ? ", ..." : "");
}

void print_text(const CheckpointFile & file)
{
  const Manifest & manifest = file.manifest();
  print_row("file", file.path());
  print_row("stage", name(manifest.stage));
  print_row("backbone", backbone_text(manifest.model.backbone));
  if (const auto & backbone = manifest.backbone_file) {
    print_row("backbone file", terminal_safe(beside(file.path(), *backbone)));
  }
  print_row("parameters", parameters_text(file));
  print_row(
    "input",
    std::to_string(manifest.preprocessing.size) + " px, " + name(manifest.preprocessing.mode));
  if (manifest.stage != Stage::backbone) {
    print_row("classes", classes_text(manifest.classes));
    for (const TaughtClass & taught : manifest.taught) {
      print_row("taught", taught_text(taught));
    }
    print_row("head", terminal_safe(manifest.model.head.kind));
    if (!manifest.prototype_class.empty()) {
      print_row("prototypes", prototypes_text(manifest));
    }
    if (!manifest.prototype_prior.empty()) {
      print_row("concentration", number(manifest.model.head.concentration));
    }
    if (manifest.prototype_prior.empty()) {
      print_row("p(x)", "none: a baseline to compare with, no model for a robot");
    } else {
      print_row("calibration", calibration_text(manifest));
    }
  }
  print_row("sha256", terminal_safe(manifest.tensors_sha256));
  std::cout << std::flush;
}

}  // namespace

void add_info(CLI::App & app)
{
  auto options = std::make_shared<InfoOptions>();
  CLI::App * verb = app.add_subcommand("info", "What a checkpoint holds; checks the whole file");
  verb->add_option("file", options->file, "checkpoint (*.safetensors)")
    ->required()
    ->type_name("FILE");
  verb->add_flag("--json", options->json, "the manifest as JSON");
  verb->footer(
    "Examples:\n  mgproto info model.safetensors\n"
    "  mgproto info model.safetensors --json | jq .classes");
  verb->callback([options] {
    const CheckpointFile file = CheckpointFile::open(options->file);
    if (options->json) {
      print_json(file);
    } else {
      print_text(file);
    }
  });
}

}  // namespace mgproto::cli
