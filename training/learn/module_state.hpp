// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__LEARN__MODULE_STATE_HPP_
#define TRAINING__LEARN__MODULE_STATE_HPP_

#include <torch/nn/module.h>

#include <string>

#include "training/learn/memory_bank.hpp"

namespace mgproto
{

/// Adds the module's parameters and buffers under `prefix`.
inline void add_module_state(
  State & state, const std::string & prefix, const torch::nn::Module & module)
{
  for (const auto & parameter : module.named_parameters()) {
    state[prefix + parameter.key()] = parameter.value().detach();
  }
  for (const auto & buffer : module.named_buffers()) {
    state[prefix + buffer.key()] = buffer.value();
  }
}

inline void add_with_prefix(State & state, const std::string & prefix, const State & part)
{
  for (const auto & [name, tensor] : part) {
    state[prefix + name] = tensor;
  }
}

/// What stands under `prefix`, without it.
inline State part_of(const State & state, const std::string & prefix)
{
  State part;
  for (const auto & [name, tensor] : state) {
    if (name.rfind(prefix, 0) == 0) {
      part[name.substr(prefix.size())] = tensor;
    }
  }
  return part;
}

}  // namespace mgproto

#endif  // TRAINING__LEARN__MODULE_STATE_HPP_
