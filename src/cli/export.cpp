// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/verbs.hpp"
#include "model/shared_backbone.hpp"
#include "model/torchscript.hpp"

namespace mgproto::cli
{
namespace
{

struct ExportOptions
{
  std::string model;
  std::string torchscript;
  std::string checkpoint;  // one of the two is empty
  std::string backbone;
};

void run_export(const ExportOptions & options)
{
  if (!options.torchscript.empty()) {
    export_torchscript(options.model, options.torchscript);
  } else if (!options.backbone.empty()) {
    share_backbone(options.model, options.backbone, options.checkpoint);
  } else {
    hold_backbone(options.model, options.checkpoint);
  }
  std::cout << options.torchscript << options.checkpoint << std::endl;
}

}  // namespace

void add_export(CLI::App & app)
{
  auto options = std::make_shared<ExportOptions>();
  CLI::App * verb = app.add_subcommand(
    "export", "A checkpoint as TorchScript, or beside a backbone that models share");
  verb->add_option("-m,--model", options->model, "checkpoint (*.safetensors)")
    ->required()
    ->type_name("FILE");
  CLI::Option_group * to = verb->add_option_group("to");
  to->add_option("--torchscript", options->torchscript, "TorchScript file to write")
    ->type_name("FILE.pt");
  CLI::Option * checkpoint = to->add_option(
    "-o,--out", options->checkpoint, "checkpoint to write, with all tensors unless --backbone");
  checkpoint->type_name("FILE");
  to->require_option(1);
  verb
    ->add_option(
      "--backbone", options->backbone,
      "leave the backbone out of --out: it is this file's, which must stay beside it")
    ->needs(checkpoint)
    ->type_name("FILE");
  verb->footer(
    "Examples:\n"
    "  mgproto export --model model.safetensors --torchscript model.pt\n"
    "  mgproto export --model runs/photos/final.safetensors --out models/photos.safetensors \\\n"
    "    --backbone models/resnet50_imagenet.safetensors\n"
    "  mgproto export --model models/photos.safetensors --out whole.safetensors\n"
    "TorchScript's forward(images [B, 3, H, W], normalised) returns log p(x|c) [B, C], p(c|x) [B, "
    "C],\n"
    "log p(x) [B], log h [B, K], position [B, K]; the manifest is the extra file manifest.json.");
  verb->callback([options] { run_export(*options); });
}

}  // namespace mgproto::cli
