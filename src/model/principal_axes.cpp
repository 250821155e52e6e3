// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/principal_axes.hpp"

#include <torch/torch.h>

namespace mgproto
{
namespace
{

constexpr double kNoVariance = 1e-12;  // of the largest one

}  // namespace

/// Of N rows in more than N dimensions the inner products are fewer than the moments, and have the same
/// eigenvalues.
Axes axes_of(const torch::Tensor & rows)
{
  const bool by_rows = rows.size(0) < rows.size(1);
  const torch::Tensor products = by_rows ? rows.matmul(rows.t()) : rows.t().matmul(rows);
  const auto [rising, vectors] = torch::linalg_eigh(products / rows.size(0));
  const torch::Tensor moments = rising.flip(0);
  const torch::Tensor kept = moments.gt(kNoVariance * moments.max()).nonzero().flatten();
  Axes axes{moments.index_select(0, kept), vectors.flip(1).index_select(1, kept)};
  if (by_rows) {
    axes.directions =
      rows.t().matmul(axes.directions) / (axes.moments * rows.size(0)).sqrt().unsqueeze(0);
  }
  return axes;
}

}  // namespace mgproto
