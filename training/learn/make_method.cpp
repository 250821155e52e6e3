// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <torch/torch.h>

#include "mgproto_ros/error.hpp"
#include "training/learn/mixture_method.hpp"
#include "training/learn/protopnet_method.hpp"
#include "training/learn/softmax_method.hpp"

namespace mgproto
{

std::unique_ptr<Method> make_method(const TrainingConfig & config, Network & network)
{
  const std::string & kind = network.config().head.kind;
  if (kind == "mgproto") {
    return std::make_unique<MixtureMethod>(config, network);
  }
  if (kind == "softmax") {
    return std::make_unique<SoftmaxMethod>(network.head());
  }
  if (kind == "protopnet") {
    return std::make_unique<ProtoPNetMethod>(config.loss, *network.prototype_head());
  }
  throw ConfigError("head.kind", "'" + kind + "' has no method to learn by");
}

}  // namespace mgproto
