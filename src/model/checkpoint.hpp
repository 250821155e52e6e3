// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__CHECKPOINT_HPP_
#define MODEL__CHECKPOINT_HPP_

#include <memory>
#include <string>

#include "mgproto_ros/manifest.hpp"
#include "model/network.hpp"
#include "model/weight_storage.hpp"

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
/// network, the rest as given. The network must not have been prepared for inference. A manifest that
/// refers to a backbone file goes on to do so if that file stands beside `path` and holds exactly this
/// backbone; otherwise all tensors are written.
void save_checkpoint(
  const std::string & path, Network & network, const Manifest & manifest,
  WeightStorage storage = WeightStorage::float32);

/// The same for a model that came from the checkpoint `source`, but for its backbone, which is written as
/// it lies there; so the network may have been prepared for inference. Gives the manifest of what was
/// written.
Manifest save_with_backbone_of(
  const std::string & source, const std::string & path, Network & network,
  const Manifest & manifest);

/// What a manifest says to refer to the checkpoint at `path` for the backbone. Throws FileError if that
/// is not exactly the network's.
BackboneFile backbone_in(const std::string & path, Network & network);

/// Whether a tensor of that name is the backbone's.
bool of_backbone(const std::string & name);

/// All tensors of the network that a checkpoint holds, by name: parameters and running statistics.
std::vector<std::pair<std::string, torch::Tensor>> checkpoint_tensors(Network & network);

}  // namespace mgproto

#endif  // MODEL__CHECKPOINT_HPP_
