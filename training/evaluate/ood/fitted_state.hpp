// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__OOD__FITTED_STATE_HPP_
#define TRAINING__EVALUATE__OOD__FITTED_STATE_HPP_

#include <torch/types.h>

#include <map>
#include <string>

namespace mgproto
{

/// All that a score learned from the training split, by name, for a cache.
using FittedState = std::map<std::string, torch::Tensor>;

/// Throws Error if the state has no such entry.
torch::Tensor entry_of(const FittedState & state, const std::string & name);

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__OOD__FITTED_STATE_HPP_
