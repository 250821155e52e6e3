// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__SCORE_INPUTS_HPP_
#define TRAINING__SCORE_INPUTS_HPP_

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <functional>
#include <string>
#include <vector>

#include "mgproto_ros/error.hpp"
#include "training/pass/image_outputs.hpp"

namespace mgproto
{

constexpr double kTolerance = 1e-9;

using Rows = std::vector<std::vector<double>>;

inline torch::Tensor matrix(const Rows & rows)
{
  std::vector<double> values;
  for (const auto & row : rows) {
    values.insert(values.end(), row.begin(), row.end());
  }
  return torch::tensor(values, torch::kFloat64)
    .view({static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows[0].size())});
}

inline torch::Tensor vector(const std::vector<double> & values)
{
  return torch::tensor(values, torch::kFloat64);
}

inline torch::Tensor labels(const std::vector<std::int64_t> & values)
{
  return torch::tensor(values, torch::kInt64);
}

/// Images with one logit, 0, unless others are given.
inline ImageOutputs images_with(
  const Rows & features, const std::vector<std::int64_t> & classes = {})
{
  const auto count = static_cast<std::int64_t>(features.size());
  return {torch::zeros({count, 1}), matrix(features), labels(classes)};
}

inline void expect_scores(const torch::Tensor & scores, const std::vector<double> & expected)
{
  ASSERT_EQ(scores.dim(), 1);
  ASSERT_EQ(scores.size(0), static_cast<std::int64_t>(expected.size()));
  ASSERT_EQ(scores.scalar_type(), torch::kFloat64);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(scores[i].item<double>(), expected[i], kTolerance) << i;
  }
}

inline bool all_finite(const torch::Tensor & tensor)
{
  return tensor.isfinite().all().item<bool>();
}

inline std::string message_of(const std::function<void()> & call)
{
  try {
    call();
  } catch (const Error & error) {
    return error.what();
  }
  return "no error";
}

}  // namespace mgproto

#endif  // TRAINING__SCORE_INPUTS_HPP_
