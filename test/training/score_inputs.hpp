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
#include "training/measure/feature_scores.hpp"
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

using Fits = std::vector<std::function<OodScore(const ImageOutputs &)>>;

inline void expect_far_below_near(
  const Fits & fits, const ImageOutputs & training, const ImageOutputs & near,
  const ImageOutputs & far)
{
  for (std::size_t i = 0; i < fits.size(); ++i) {
    const OodScore score = fits[i](training);
    EXPECT_LT(score(far).item<double>(), score(near).min().item<double>()) << i;
  }
}

/// Features of another size, and training without images.
inline void expect_misfits_named(
  const Fits & fits, const ImageOutputs & training, const ImageOutputs & near)
{
  ImageOutputs other = near;
  other.features = torch::zeros({20, 3});
  const ImageOutputs nothing{
    torch::zeros({0, 2}), torch::zeros({0, 4}), torch::zeros({0}, torch::kInt64)};
  for (const auto & fit : fits) {
    const OodScore score = fit(training);
    EXPECT_EQ(message_of([&] { score(other); }), "features: expected [N, 4], not [20, 3]");
    EXPECT_EQ(message_of([&] { fit(nothing); }), "training features: expected at least one row");
  }
}

}  // namespace mgproto

#endif  // TRAINING__SCORE_INPUTS_HPP_
