// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/initial_weights.hpp"

#include <torch/torch.h>

#include <map>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"

namespace mgproto
{

void take_initial_weights(Network & network, const std::string & checkpoint)
{
  const torch::NoGradGuard no_grad;
  const Checkpoint start = load_checkpoint(checkpoint);
  const bool whole =
    start.network->has_head() && start.network->config().head.kind == network.config().head.kind;
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
