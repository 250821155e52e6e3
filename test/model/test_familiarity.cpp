// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// What a model keeps of its training images, against the textbook's formulas.

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "mgproto_ros/error.hpp"
#include "model/familiarity.hpp"

namespace mgproto
{
namespace
{

constexpr std::int64_t kClasses = 4;
constexpr std::int64_t kEach = 30;
constexpr std::int64_t kChannels = 12;
const std::vector<int> kPrototypeClass{0, 0, 1, 1, 2, 2, 3, 3};

/// Images of four classes whose pooled maps vary more in some directions than in others.
struct FamiliarImages
{
  FamiliarImages()
  {
    torch::manual_seed(3);
    labels = torch::arange(kClasses).repeat_interleave(kEach);
    const torch::Tensor means = 3 * torch::randn({kClasses, kChannels}, torch::kFloat64);
    const torch::Tensor widths = torch::linspace(0.3, 2, kChannels, torch::kFloat64);
    pooled = means.index_select(0, labels) +
             torch::randn({kClasses * kEach, kChannels}, torch::kFloat64) * widths;
    log_likelihood = torch::randn({kClasses * kEach, 8}, torch::kFloat64) - 5;
  }
  torch::Tensor labels, pooled, log_likelihood;
};

constexpr double kShrinkage = 0.1;

/// Every direction kept: nothing is approximated.
Familiarity whole_familiarity(const FamiliarImages & images, double shrinkage = kShrinkage)
{
  Familiarity familiarity({kClasses - 1, kChannels}, kPrototypeClass, kChannels);
  familiarity.fit(images.pooled, images.log_likelihood, images.labels, shrinkage);
  return familiarity;
}

torch::Tensor directions_of(const torch::Tensor & rows)
{
  return rows / rows.norm(2, 1, /*keepdim=*/true);
}

TEST(Familiarity, DistanceIsMahalanobisOfDirections)
{
  const FamiliarImages images;
  const Familiarity familiarity = whole_familiarity(images);
  torch::Tensor scatter = torch::zeros({kChannels, kChannels}, torch::kFloat64);
  std::vector<torch::Tensor> means;
  for (std::int64_t c = 0; c < kClasses; ++c) {
    const torch::Tensor own = directions_of(images.pooled.slice(0, c * kEach, (c + 1) * kEach));
    means.push_back(own.mean(0));
    scatter += (own - means.back()).t().matmul(own - means.back());
  }
  const torch::Tensor covariance = scatter / (kClasses * kEach - kClasses);
  const torch::Tensor average = covariance.trace() / kChannels;
  const torch::Tensor inverse = torch::linalg_inv(
    (1 - kShrinkage) * covariance + kShrinkage * average * torch::eye(kChannels, torch::kFloat64));
  const torch::Tensor strange = 5 * torch::randn({20, kChannels}, torch::kFloat64);
  for (std::int64_t c = 0; c < kClasses; ++c) {
    const torch::Tensor off = directions_of(strange) - means[c];
    const torch::Tensor expected = -(off.matmul(inverse) * off).sum(1).sqrt();
    const torch::Tensor got = familiarity.distance(
      familiarity.locate(strange.to(torch::kFloat32), torch::full({20}, c, torch::kInt64)));
    EXPECT_TRUE(torch::allclose(got.to(torch::kFloat64), expected, 1e-3, 1e-3)) << c;
    EXPECT_TRUE(torch::allclose(
      familiarity.distance(
        familiarity.locate(7 * strange.to(torch::kFloat32), torch::full({20}, c, torch::kInt64))),
      got, 1e-3, 1e-3))
      << "contrast does not count";
  }
}

TEST(Familiarity, PlaceTellsTheClassFromTheOthers)
{
  const FamiliarImages images;
  const Familiarity familiarity = whole_familiarity(images, 0.3);
  const torch::Tensor pooled = images.pooled.to(torch::kFloat32);
  const torch::Tensor right = familiarity.place(familiarity.locate(pooled, images.labels));
  const torch::Tensor wrong =
    familiarity.place(familiarity.locate(pooled, (images.labels + 1) % kClasses));
  EXPECT_GT(right.mean().item<float>(), 0);
  EXPECT_GT((right > wrong).to(torch::kFloat32).mean().item<float>(), 0.99f);
}

TEST(Familiarity, FewDirectionsAreEnoughForWhatIsFarOff)
{
  const FamiliarImages images;
  Familiarity familiarity({kClasses - 1, 3}, kPrototypeClass, kChannels);
  familiarity.fit(images.pooled, images.log_likelihood, images.labels, 0.3);
  const torch::Tensor pooled = images.pooled.to(torch::kFloat32);
  const float farthest =
    familiarity.distance(familiarity.locate(pooled, images.labels)).min().item<float>();
  const torch::Tensor strange = 30 - pooled;
  EXPECT_LT(
    familiarity.distance(familiarity.locate(strange, images.labels)).max().item<float>(), farthest);
}

TEST(Familiarity, ShortfallIsInDeviationsOfTheClassAndNeverNegative)
{
  const FamiliarImages images;
  const Familiarity familiarity = whole_familiarity(images);
  for (std::int64_t k = 0; k < 8; ++k) {
    const std::int64_t c = kPrototypeClass[k];
    const torch::Tensor own =
      images.log_likelihood.slice(0, c * kEach, (c + 1) * kEach).select(1, k);
    EXPECT_NEAR(familiarity.part_mean[k].item<double>(), own.mean().item<double>(), 1e-5);
    EXPECT_NEAR(
      familiarity.part_deviation[k].item<double>(), own.std(/*unbiased=*/false).item<double>(),
      1e-5);
  }
  const torch::Tensor low = (familiarity.part_mean - 3 * familiarity.part_deviation).unsqueeze(0);
  EXPECT_TRUE(torch::allclose(familiarity.shortfall(low), torch::full({1, 8}, 3.0), 1e-4, 1e-4));
  EXPECT_EQ(familiarity.shortfall(low + 100).max().item<float>(), 0);
  // Only the predicted class's prototypes count: root mean square of 3 and 3.
  EXPECT_NEAR(
    familiarity.parts(familiarity.shortfall(low), torch::tensor({2}, torch::kInt64)).item<float>(),
    -3, 1e-3);
}

TEST(Familiarity, FitsFewerImagesThanChannelsAndImagesThatAreAllTheSame)
{
  const FamiliarityConfig config = familiarity_for(2, 6, 40);
  EXPECT_EQ(config.class_dim, 1);
  EXPECT_EQ(config.spread_dim, 4);
  Familiarity few(config, {0, 1}, 40);
  few.fit(
    torch::randn({6, 40}), torch::randn({6, 2}), torch::tensor({0, 0, 0, 1, 1, 1}, torch::kInt64),
    0.3);
  Familiarity same(config, {0, 1}, 40);
  same.fit(
    torch::ones({6, 40}), torch::zeros({6, 2}), torch::tensor({0, 0, 0, 1, 1, 1}, torch::kInt64),
    0.3);
  const torch::Tensor image = torch::randn({1, 40});
  const torch::Tensor first = torch::zeros({1}, torch::kInt64);
  for (const Familiarity * fitted : {&few, &same}) {
    EXPECT_TRUE(fitted->distance(fitted->locate(image, first)).isfinite().all().item<bool>());
    EXPECT_TRUE(fitted->place(fitted->locate(image, first)).isfinite().all().item<bool>());
    EXPECT_TRUE(fitted->shortfall(torch::zeros({1, 2})).isfinite().all().item<bool>());
  }
}

TEST(Familiarity, AClassWithoutImagesIsRefused)
{
  Familiarity familiarity({1, 1}, {0, 1}, 4);
  EXPECT_THROW(
    familiarity.fit(
      torch::randn({3, 4}), torch::randn({3, 2}), torch::zeros({3}, torch::kInt64), 0.3),
    Error);
}

}  // namespace
}  // namespace mgproto
