// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__SHARED_NETWORK_HPP_
#define MODEL__SHARED_NETWORK_HPP_

#include <map>
#include <memory>
#include <string>

#include "model/network.hpp"

namespace mgproto
{

std::map<std::string, torch::Tensor> tensors_by_name(Network & network);

/// A network with another head that shares the backbone and all other tensors with `network` whose shapes
/// are the same; those that are not are as the config makes them.
std::shared_ptr<Network> with_shared_tensors(
  Network & network, const ModelConfig & config, std::shared_ptr<Head> head);

}  // namespace mgproto

#endif  // MODEL__SHARED_NETWORK_HPP_
