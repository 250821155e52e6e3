// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Prototypes found without gradients: what is special about a class, not what is everywhere.

#include <gtest/gtest.h>

#include <map>

#include "golden.hpp"
#include "training/learn/closed_form.hpp"

namespace mgproto
{
namespace
{

constexpr std::int64_t kDim = 8;
constexpr std::int64_t kImages = 40;
constexpr std::int64_t kPlaces = 12;

/// Feature 0 tells two classes apart. A class has two parts, directions 2 c + 2 and 2 c + 3, at one
/// place each; all other places are a background that both classes share, direction 6.
LocalFeatures drawn_features()
{
  torch::manual_seed(3);
  LocalFeatures local;
  torch::Tensor f = 0.05 * torch::randn({kImages, kDim, kPlaces});
  for (std::int64_t n = 0; n < kImages; ++n) {
    const std::int64_t c = n % 2;
    f[n].select(0, 6).add_(1);
    for (const std::int64_t part : {0, 1}) {
      const std::int64_t place = (n + 5 * part) % kPlaces;
      f[n].select(1, place).zero_();
      f[n][0][place] = c == 0 ? 0.5 : -0.5;
      f[n][2 * c + 2 + part][place] = 1;
    }
    local.labels.push_back(c);
  }
  local.features = unit_vectors(f);
  return local;
}

TEST(ClosedForm, FindsTheParts)
{
  HeadConfig config;
  config.feature_dim = kDim;
  GaussianHead head(2, 2, config);
  const torch::Tensor class_means = torch::tensor({{1.0f}, {-1.0f}});

  const PrototypeSearch search = find_prototypes(head, drawn_features(), class_means, 1);

  EXPECT_EQ(search.kept, 4);
  EXPECT_EQ(search.candidates, 2 * 2 * 3 * 10);  // ten patches around each of three centres
  EXPECT_GT(search.told_apart_kept, search.told_apart_dropped);
  for (int c = 0; c < 2; ++c) {
    const torch::Tensor part = head.means_of(c).slice(1, 2, 6).argmax(1);
    EXPECT_TRUE(((part == 2 * c) | (part == 2 * c + 1)).all().item<bool>()) << head.means_of(c);
    EXPECT_LT(head.means_of(c).select(1, 6).abs().max().item<double>(), 0.3);
    EXPECT_NEAR(head.priors.slice(0, 2 * c, 2 * c + 2).sum().item<double>(), 1, 1e-6);
  }
  EXPECT_LT(test::largest_difference(head.means.norm(2, 1), torch::ones({4})), 1e-5);
}

TEST(ClosedForm, EveryPrototypeIsAPatchOfItsClass)
{
  HeadConfig config;
  config.feature_dim = kDim;
  GaussianHead head(2, 3, config);
  const LocalFeatures local = drawn_features();

  find_prototypes(head, local, torch::tensor({{1.0f}, {-1.0f}}), 1);

  const torch::Tensor labels = torch::tensor(local.labels, torch::kInt64);
  for (int c = 0; c < 2; ++c) {
    const torch::Tensor of_class =
      local.features.index({labels.eq(c)}).permute({0, 2, 1}).reshape({-1, kDim});
    const torch::Tensor nearest = torch::matmul(head.means_of(c), of_class.t()).amax(1);
    EXPECT_GT(nearest.min().item<double>(), 1 - 1e-5);
  }
}

/// One class, whose images have three parts: two at neighbouring places and one far from them.
TEST(ClosedForm, PrototypesAtOnePlaceShareTheirWeight)
{
  torch::manual_seed(4);
  LocalFeatures local;
  torch::Tensor f = 0.05 * torch::randn({kImages, kDim, kPlaces});
  for (std::int64_t n = 0; n < kImages; ++n) {
    f[n].select(0, 6).add_(1);
    for (const std::int64_t part : {0, 1, 2}) {
      const std::int64_t place = (n + std::vector<std::int64_t>{0, 1, 6}[part]) % kPlaces;
      if (n % 2 == 0) {
        f[n].select(1, place).zero_();
        f[n][2 + part][place] = 1;
        f[n][0][place] = 0.5;
      }
    }
    local.labels.push_back(n % 2);
  }
  local.features = unit_vectors(f);
  local.map_cols = kPlaces;
  HeadConfig config;
  config.feature_dim = kDim;
  GaussianHead head(2, 3, config);

  find_prototypes(head, local, torch::tensor({{1.0f}, {-1.0f}}), 1);

  std::map<std::int64_t, double> weight;  // of each part
  for (std::int64_t m = 0; m < 3; ++m) {
    weight[head.means[m].slice(0, 2, 5).argmax().item<std::int64_t>()] =
      head.priors[m].item<double>();
  }
  ASSERT_EQ(weight.size(), 3u) << head.means_of(0);
  EXPECT_LT(std::min(weight[0], weight[1]), 0.5 * weight[2]);
  EXPECT_GT(std::max(weight[0], weight[1]), 0.5 * weight[2]);
}

TEST(ClosedForm, IsTheSameAgain)
{
  HeadConfig config;
  config.feature_dim = kDim;
  GaussianHead one(2, 3, config), other(2, 3, config);
  const torch::Tensor class_means = torch::tensor({{1.0f}, {-1.0f}});

  find_prototypes(one, drawn_features(), class_means, 1);
  find_prototypes(other, drawn_features(), class_means, 1);

  EXPECT_TRUE(torch::equal(one.means, other.means));
  EXPECT_TRUE(torch::equal(one.priors, other.priors));
}

TEST(ClosedForm, IsFiniteWhereAllPlacesAreAlike)
{
  HeadConfig config;
  config.feature_dim = kDim;
  GaussianHead head(2, 2, config);
  LocalFeatures local;
  local.features = unit_vectors(torch::ones({4, kDim, 3}));
  local.labels = {0, 0, 1, 1};

  find_prototypes(head, local, torch::tensor({{1.0f}, {-1.0f}}), 1);

  EXPECT_TRUE(head.means.isfinite().all().item<bool>());
  EXPECT_TRUE((head.priors > 0).all().item<bool>());
}

}  // namespace
}  // namespace mgproto
