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
namespace
{

/// Classes of `to` begin with the prototypes that one of the same name has in `from`, the largest
/// priors first if they are more. A class without one stays as it is.
void take_prototypes(
  const GaussianHead & from, const std::vector<std::string> & known, GaussianHead & to,
  const std::vector<std::string> & classes)
{
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const auto found = std::find(known.begin(), known.end(), classes[c]);
    if (found == known.end()) {
      continue;
    }
    const auto [begin, end] = to.range_of(static_cast<int>(c));
    const auto [first, last] = from.range_of(static_cast<int>(found - known.begin()));
    const std::int64_t count = std::min(end - begin, last - first);
    const torch::Tensor order = std::get<1>(from.priors.slice(0, first, last).topk(count)) + first;
    to.means.slice(0, begin, begin + count).copy_(from.means.index_select(0, order));
    if (count == end - begin && count == last - first) {
      to.priors.slice(0, begin, end).copy_(from.priors.index_select(0, order));
    }
    if (to.whole_dim() > 0 && to.whole_dim() == from.whole_dim()) {
      to.wholes[static_cast<std::int64_t>(c)].copy_(from.wholes[found - known.begin()]);
    }
  }
}

}  // namespace

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
      *network, train.classes, config.network.init,
      config.add_on.init == AddOnConfig::Init::whitened);
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

void load_initial_weights(
  Network & network, const std::vector<std::string> & classes, const std::string & checkpoint,
  bool only_backbone)
{
  const torch::NoGradGuard no_grad;
  const Checkpoint start = load_checkpoint(checkpoint);
  const bool same_kind = !only_backbone && start.network->has_head() &&
                         start.network->config().head.kind == network.config().head.kind;
  const bool has_density = same_kind && network.has_density();
  const bool same_head =
    same_kind && start.manifest.classes == classes &&
    (!has_density || start.manifest.prototype_class == network.gaussian_head().prototype_class());
  std::map<std::string, torch::Tensor> given;
  for (const auto & [name, tensor] : checkpoint_tensors(*start.network)) {
    given[name] = tensor;
  }
  for (auto & [name, tensor] : checkpoint_tensors(network)) {
    const bool of_backbone = name.rfind("backbone.", 0) == 0;
    const bool of_head = name.rfind("head.", 0) == 0;
    if (!(of_backbone || (of_head ? same_head : same_kind))) {
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
  if (has_density && !same_head) {
    take_prototypes(
      start.network->gaussian_head(), start.manifest.classes, network.gaussian_head(), classes);
  }
}

}  // namespace mgproto
