// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <torch/torch.h>

#include "training/learn/mixture_method.hpp"
#include "training/learn/protopnet_method.hpp"
#include "training/learn/softmax_method.hpp"

namespace mgproto
{

std::unique_ptr<Method> make_method(const TrainingConfig & config, Network & network)
{
  if (auto * head = dynamic_cast<SoftmaxHead *>(&network.head())) {
    return std::make_unique<SoftmaxMethod>(*head);
  }
  if (auto * head = dynamic_cast<ProtoPNetHead *>(&network.head())) {
    return std::make_unique<ProtoPNetMethod>(config.loss, *head);
  }
  return std::make_unique<MixtureMethod>(config, network);
}

}  // namespace mgproto
