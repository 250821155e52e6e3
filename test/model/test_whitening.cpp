// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The closed form on maps whose statistics are known.

#include <gtest/gtest.h>

#include "golden.hpp"
#include "mgproto_ros/error.hpp"
#include "model/whitening.hpp"

namespace mgproto
{
namespace
{

constexpr std::int64_t kClasses = 3;
constexpr std::int64_t kImages = 600;
constexpr std::int64_t kChannels = 8;

/// Class c is 3 larger in channel c. Images of a class differ much in channel 5 and little in the
/// others; places of an image differ in channel 7 alone.
struct KnownMaps
{
  KnownMaps()
  {
    torch::manual_seed(1);
    labels = torch::arange(kImages).remainder(kClasses);
    torch::Tensor pooled = 0.1 * torch::randn({kImages, kChannels});
    pooled.select(1, 5).mul_(100);
    for (std::int64_t n = 0; n < kImages; ++n) {
      pooled[n][n % kClasses] += 3;
    }
    torch::Tensor places = torch::zeros({kImages, kChannels, 4, 4});
    const torch::Tensor noise = torch::randn({kImages, 4, 4});
    places.select(1, 7).copy_(noise - noise.mean({1, 2}, /*keepdim=*/true));
    z = pooled.view({kImages, kChannels, 1, 1}) + places;
  }

  Whitening solve(double shrinkage, std::int64_t class_dim, std::int64_t local_dim) const
  {
    WhiteningStatistics statistics(kClasses, kChannels);
    for (std::int64_t n = 0; n < kImages; n += 50) {
      statistics.add(z.slice(0, n, n + 50), labels.slice(0, n, n + 50));
    }
    return statistics.solve(shrinkage, class_dim, local_dim);
  }

  torch::Tensor z;
  torch::Tensor labels;
};

TEST(Whitening, MakesClassesVaryByOneInEveryDirection)
{
  const KnownMaps maps;

  const Whitening whitening = maps.solve(/*shrinkage=*/0, 2, 3);

  const torch::Tensor f =
    torch::matmul(maps.z.mean({2, 3}), whitening.weight.t()) + whitening.bias;  // [N, 5]
  EXPECT_LT(f.mean(0).abs().max().item<double>(), 1e-2);
  for (std::int64_t c = 0; c < kClasses; ++c) {
    const torch::Tensor of_class = f.index({maps.labels == c});
    EXPECT_NEAR(of_class.var(0).min().item<double>(), 1, 0.25);
    EXPECT_NEAR(of_class.var(0).max().item<double>(), 1, 0.25);
  }
}

TEST(Whitening, PutsTheClassesFirstAndThenThePlaces)
{
  const KnownMaps maps;

  const Whitening whitening = maps.solve(/*shrinkage=*/0, 2, 1);

  const torch::Tensor f =
    (torch::matmul(maps.z.mean({2, 3}), whitening.weight.t()) + whitening.bias).slice(1, 0, 2);
  const torch::Tensor nearest = torch::matmul(f, whitening.class_means.t()).argmax(1);
  EXPECT_TRUE(torch::equal(nearest, maps.labels));
  const torch::Tensor local = whitening.weight[2].abs();
  EXPECT_EQ(local.argmax().item<std::int64_t>(), 7);
  EXPECT_GT((local[7] / local.sum()).item<double>(), 0.8);
}

TEST(Whitening, IsFiniteWithFewerImagesThanChannels)
{
  WhiteningStatistics statistics(2, 16);
  statistics.add(torch::randn({4, 16, 2, 2}), torch::tensor({0, 0, 1, 1}, torch::kInt64));
  for (const double shrinkage : {0.0, 0.3, 1.0}) {
    const Whitening whitening = statistics.solve(shrinkage, 1, 4);
    EXPECT_TRUE(whitening.weight.isfinite().all().item<bool>()) << shrinkage;
  }
}

TEST(Whitening, RefusesWhatTheImagesCannotGive)
{
  const KnownMaps maps;
  EXPECT_THROW(maps.solve(0.3, kClasses, 1), Error);
  EXPECT_THROW(maps.solve(0.3, 2, kChannels), Error);
  EXPECT_THROW(WhiteningStatistics(2, 4).solve(0.3, 1, 1), Error);
}

}  // namespace
}  // namespace mgproto
