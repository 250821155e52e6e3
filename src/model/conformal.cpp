// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/conformal.hpp"

#include <algorithm>
#include <cmath>

namespace mgproto
{
namespace
{

constexpr double kRounding = 1e-9;  // 20 * (1 - 0.95) is 1

/// P(X <= share) for X of Beta(n + 1 - k, k): at most k - 1 of n draws fail, each with 1 - share.
double beta_distribution(double share, std::int64_t n, std::int64_t k)
{
  double sum = 0;
  for (std::int64_t i = 0; i < k; ++i) {
    const double ways = std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0);
    sum += std::exp(
      ways + static_cast<double>(i) * std::log1p(-share) +
      static_cast<double>(n - i) * std::log(share));
  }
  return sum;
}

double beta_quantile(double probability, std::int64_t n, std::int64_t k)
{
  double low = 0;
  double high = 1;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (beta_distribution(middle, n, k) < probability ? low : high) = middle;
  }
  return low;
}

}  // namespace

std::int64_t conformal_rank(std::int64_t images, double rate)
{
  return static_cast<std::int64_t>(
    std::floor((static_cast<double>(images) + 1) * (1 - rate) + kRounding));
}

std::int64_t images_needed(double rate)
{
  auto images = std::max<std::int64_t>(1, static_cast<std::int64_t>(1 / (1 - rate)) - 2);
  while (conformal_rank(images, rate) < 1) {
    ++images;
  }
  return images;
}

double conformal_p_value(const std::vector<double> & ascending, double score)
{
  const auto above = std::upper_bound(ascending.begin(), ascending.end(), score);
  return (static_cast<double>(above - ascending.begin()) + 1) /
         (static_cast<double>(ascending.size()) + 1);
}

AcceptedShare accepted_share(std::int64_t images, double rate)
{
  const std::int64_t rank = conformal_rank(images, rate);
  return {beta_quantile(0.05, images, rank), beta_quantile(0.95, images, rank)};
}

}  // namespace mgproto
