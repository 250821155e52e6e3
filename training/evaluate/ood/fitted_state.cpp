// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/ood/fitted_state.hpp"

#include "mgproto_ros/error.hpp"

namespace mgproto
{

torch::Tensor entry_of(const FittedState & state, const std::string & name)
{
  const auto found = state.find(name);
  if (found == state.end()) {
    throw Error("fitted score: expected an entry " + name);
  }
  return found->second;
}

}  // namespace mgproto
