// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/verbs.hpp"
#include "model/torchscript.hpp"

namespace mgproto::cli
{
namespace
{

struct ExportOptions
{
  std::string model;
  std::string torchscript;
};

}  // namespace

void add_export(CLI::App & app)
{
  auto options = std::make_shared<ExportOptions>();
  CLI::App * verb = app.add_subcommand("export", "A checkpoint for use outside of this package");
  verb->add_option("-m,--model", options->model, "checkpoint (*.safetensors)")
    ->required()
    ->type_name("FILE");
  verb->add_option("--torchscript", options->torchscript, "TorchScript file to write")
    ->required()
    ->type_name("FILE.pt");
  verb->footer(
    "Example:\n  mgproto export --model model.safetensors --torchscript model.pt\n"
    "forward(images [B, 3, H, W], normalised) returns log p(x|c) [B, C], p(c|x) [B, C],\n"
    "log p(x) [B], log h [B, K], position [B, K]; the manifest is the extra file manifest.json.");
  verb->callback([options] {
    export_torchscript(options->model, options->torchscript);
    std::cout << options->torchscript << std::endl;
  });
}

}  // namespace mgproto::cli
