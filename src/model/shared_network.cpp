// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/shared_network.hpp"

#include <torch/torch.h>

#include "model/checkpoint.hpp"

namespace mgproto
{

std::map<std::string, torch::Tensor> tensors_by_name(Network & network)
{
  std::map<std::string, torch::Tensor> tensors;
  for (const auto & [name, tensor] : checkpoint_tensors(network)) {
    tensors[name] = tensor;
  }
  return tensors;
}

std::shared_ptr<Network> with_shared_tensors(
  Network & network, const ModelConfig & config, std::shared_ptr<Head> head)
{
  const torch::NoGradGuard no_grad;
  auto result = std::make_shared<Network>(config, std::move(head), network);
  const std::map<std::string, torch::Tensor> source = tensors_by_name(network);
  for (auto & [name, tensor] : tensors_by_name(*result)) {
    const auto found = source.find(name);
    if (
      name.rfind("head.", 0) != 0 && !of_backbone(name) && found != source.end() &&
      tensor.sizes() == found->second.sizes()) {
      tensor.set_data(found->second);
    }
  }
  return result;
}

}  // namespace mgproto
