// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__INTERPRET__DIVERSITY_HPP_
#define TRAINING__EVALUATE__INTERPRET__DIVERSITY_HPP_

#include <optional>

#include "model/heads/prototype_head.hpp"

namespace mgproto
{

/// Mean pairwise distance of a class's means, mean over the classes that have two or more; none if
/// no class has. Ten prototypes that are one explain nothing: then it is 0.
std::optional<double> diversity(const PrototypeHead & head);

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__INTERPRET__DIVERSITY_HPP_
