// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/shared_backbone.hpp"

#include <torch/torch.h>

#include <filesystem>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"

namespace mgproto
{
namespace
{

std::filesystem::path directory_of(const std::string & file)
{
  return std::filesystem::weakly_canonical(std::filesystem::absolute(file).parent_path());
}

}  // namespace

void share_backbone(
  const std::string & model, const std::string & backbone, const std::string & output)
{
  if (directory_of(output) != directory_of(backbone)) {
    throw ConfigError(
      "out", "'" + output + "' is not beside " + backbone + ", which the model is to refer to");
  }
  if (std::filesystem::path(output).filename() == std::filesystem::path(backbone).filename()) {
    throw ConfigError("out", "'" + output + "' is the backbone's file, expected another name");
  }
  Checkpoint checkpoint = load_checkpoint(model);
  checkpoint.manifest.backbone_file = backbone_in(backbone, *checkpoint.network);
  save_checkpoint(output, *checkpoint.network, checkpoint.manifest);
}

void hold_backbone(const std::string & model, const std::string & output)
{
  Checkpoint checkpoint = load_checkpoint(model);
  checkpoint.manifest.backbone_file.reset();
  save_checkpoint(output, *checkpoint.network, checkpoint.manifest);
}

}  // namespace mgproto
