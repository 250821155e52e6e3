// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__PRINCIPAL_AXES_HPP_
#define MODEL__PRINCIPAL_AXES_HPP_

#include <torch/types.h>

namespace mgproto
{

/// Directions in which rows [N, D] vary about 0.
struct Axes
{
  torch::Tensor moments;     ///< [R], falling; those without variation are left out
  torch::Tensor directions;  ///< [D, R]
};

Axes axes_of(const torch::Tensor & rows);

}  // namespace mgproto

#endif  // MODEL__PRINCIPAL_AXES_HPP_
