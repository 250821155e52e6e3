// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/backbone.hpp"

#include <torch/torch.h>

#include <algorithm>

#include "mgproto_ros/error.hpp"
#include "model/backbones/convolution.hpp"

namespace mgproto
{
namespace
{

void draw_weights(torch::nn::Module & network)
{
  for (const auto & module : network.modules(/*include_self=*/false)) {
    if (auto * convolution = module->as<Convolution>()) {
      convolution->draw_weights();
    }
  }
}

/// Settings that only ResNets have must be at their defaults elsewhere: a config that asks for
/// something and silently does not get it is worse than an error.
void refuse_resnet_settings(const BackboneConfig & config)
{
  const BackboneConfig defaults;
  const auto refuse = [&](const char * key) {
    throw ConfigError(
      std::string("backbone.") + key, config.architecture + " has no such setting, only ResNets");
  };
  if (config.stride_in_1x1) {
    refuse("stride_in_1x1");
  }
  if (!config.stages.empty()) {
    refuse("stages");
  }
  if (config.stem != defaults.stem) {
    refuse("stem");
  }
  if (config.width != defaults.width) {
    refuse("width");
  }
}

}  // namespace

torch::Tensor unpacked(const torch::Tensor & map) { return map.is_mkldnn() ? map.to_dense() : map; }

torch::Tensor Backbone::stacked(const torch::Tensor & map, const torch::Tensor & other)
{
  return torch::cat({unpacked(map), unpacked(other)}, 1);  // oneDNN's tensors do not concatenate
}

std::shared_ptr<Backbone> make_backbone(const BackboneConfig & config, Weights weights)
{
  const auto & names = architectures();
  if (std::find(names.begin(), names.end(), config.architecture) == names.end()) {
    std::string known;
    for (const auto & name : names) {
      known += (known.empty() ? "" : ", ") + name;
    }
    throw ConfigError(
      "backbone.architecture", "'" + config.architecture + "' is not one of " + known);
  }
  if (config.upsample < 1 || config.upsample > 8) {
    throw ConfigError("backbone.upsample", "must be within 1 to 8");
  }
  std::shared_ptr<Backbone> backbone;
  if (config.architecture.rfind("resnet", 0) == 0) {
    backbone = make_resnet(config);
  } else {
    refuse_resnet_settings(config);
    backbone = config.architecture.rfind("vgg", 0) == 0 ? make_vgg(config) : make_densenet(config);
  }
  if (weights == Weights::random) {
    draw_weights(*backbone);
  }
  return backbone;
}

}  // namespace mgproto
