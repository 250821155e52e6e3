// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__CHECKED_INPUT_HPP_
#define TRAINING__MEASURE__CHECKED_INPUT_HPP_

#include <torch/types.h>

#include <limits>
#include <string>

namespace mgproto
{

// Inputs in the form the scores compute with, float64 on the CPU. All throw Error in one line that
// names the input.

/// `tensor` [N, columns]; with `columns` 0 any number but 0.
torch::Tensor checked_matrix(
  const torch::Tensor & tensor, const std::string & name, std::int64_t columns = 0);

/// The same with at least one row.
torch::Tensor checked_rows(
  const torch::Tensor & tensor, const std::string & name, std::int64_t columns = 0);

/// `labels` [images], integers from 0 and below `classes`; as int64.
torch::Tensor checked_labels(
  const torch::Tensor & labels, std::int64_t images,
  std::int64_t classes = std::numeric_limits<std::int64_t>::max());

/// `share` within 0 and 1.
double checked_share(double share, const std::string & name);

}  // namespace mgproto

#endif  // TRAINING__MEASURE__CHECKED_INPUT_HPP_
