// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "training/measure/recognition.hpp"

namespace mgproto
{
namespace
{

TEST(NearestMean, IsMinusTheDistanceOfUnitVectors)
{
  const torch::Tensor training = torch::tensor({{2.0f, 0.0f}, {0.0f, 3.0f}, {0.0f, 1.0f}});
  const torch::Tensor labels = torch::tensor({0, 1, 1}, torch::kInt64);
  const torch::Tensor features = torch::tensor({{5.0f, 0.0f}, {1.0f, 1.0f}});

  const torch::Tensor scores = nearest_mean_scores(training, labels, features, 3);

  EXPECT_NEAR(scores[0][0].item<double>(), 0, 1e-6);
  EXPECT_NEAR(scores[0][1].item<double>(), -std::sqrt(2.0), 1e-6);
  EXPECT_NEAR(scores[1][0].item<double>(), scores[1][1].item<double>(), 1e-6);
  EXPECT_TRUE(std::isinf(scores[0][2].item<double>())) << "a class without training images";
}

}  // namespace
}  // namespace mgproto
