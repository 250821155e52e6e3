// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/initial_weights.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/heads/make_head.hpp"
#include "training/config_file.hpp"

namespace mgproto
{

std::shared_ptr<Network> initial_network(const TrainingConfig & config, const Dataset & train)
{
  torch::manual_seed(config.seed);
  const torch::NoGradGuard no_grad;
  const auto classes = static_cast<int>(train.classes.size());
  ModelConfig model = config.network.model;
  if (model.head.whole > 0 && model.head.whole_dim == 0) {
    model.head.whole_dim = default_whole_dim(classes, model.head.feature_dim);
  }
  const auto network = std::make_shared<Network>(
    model,
    make_head(model.head, classes, equal_classes(classes, config.network.prototypes_per_class)));
  if (config.network.estimate_class_priors && network->has_density()) {
    network->gaussian_head().class_priors.copy_(
      torch::tensor(class_frequencies(train), torch::kFloat64));
  }
  if (!config.network.init.empty()) {
    load_initial_weights(
      *network, config.network.init, config.add_on.init == AddOnConfig::Init::whitened);
  }
  return network;
}

Manifest manifest_of(const TrainingConfig & config, const Dataset & train)
{
  Manifest manifest;
  manifest.classes = train.classes;
  manifest.preprocessing = config.network.preprocessing;
  manifest.stage = Stage::trained;
  manifest.training = nlohmann::json{{"config", to_yaml(config)}}.dump();
  return manifest;
}

int default_whole_dim(int classes, int feature_dim)
{
  return std::max(1, std::min(classes - 1, feature_dim / 2));
}

void load_initial_weights(Network & network, const std::string & checkpoint, bool only_backbone)
{
  const torch::NoGradGuard no_grad;
  const Checkpoint start = load_checkpoint(checkpoint);
  const bool whole = !only_backbone && start.network->has_head() &&
                     start.network->config().head.kind == network.config().head.kind;
  std::map<std::string, torch::Tensor> given;
  for (const auto & [name, tensor] : checkpoint_tensors(*start.network)) {
    given[name] = tensor;
  }
  for (auto & [name, tensor] : checkpoint_tensors(network)) {
    if (!whole && name.rfind("backbone.", 0) != 0) {
      continue;
    }
    const auto found = given.find(name);
    if (found == given.end()) {
      throw FileError(checkpoint, "holds no tensor '" + name + "'");
    }
    if (found->second.sizes() != tensor.sizes()) {
      throw FileError(checkpoint, "tensor '" + name + "' does not fit the network of the config");
    }
    tensor.copy_(found->second);
  }
}

}  // namespace mgproto
