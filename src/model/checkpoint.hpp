// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__CHECKPOINT_HPP_
#define MODEL__CHECKPOINT_HPP_

#include <memory>
#include <string>

#include "mgproto_ros/manifest.hpp"
#include "model/network.hpp"

namespace mgproto
{

struct Checkpoint
{
  Manifest manifest;
  std::shared_ptr<Network> network;  ///< on the CPU, float32, not yet prepared for inference
};

/// Throws FileError naming the file and the tensor for anything that is not as it must be.
Checkpoint load_checkpoint(const std::string & path);

/// The same for a model that has a p(x): neither a backbone alone nor another kind of head.
Checkpoint load_mixtures(const std::string & path);

/// Writes atomically. The manifest's model config, p(c) and prototype lists are taken from the
/// network, the rest as given. The network must not have been prepared for inference.
void save_checkpoint(const std::string & path, Network & network, const Manifest & manifest);

/// All tensors of the network that a checkpoint holds, by name: parameters and running statistics.
std::vector<std::pair<std::string, torch::Tensor>> checkpoint_tensors(Network & network);

}  // namespace mgproto

#endif  // MODEL__CHECKPOINT_HPP_
