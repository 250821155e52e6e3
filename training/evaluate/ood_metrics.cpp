// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/ood_metrics.hpp"

#include <algorithm>
#include <cmath>

namespace mgproto
{

double quantile(std::vector<double> values, double share)
{
  std::sort(values.begin(), values.end());
  const double rank = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (rank - static_cast<double>(below)) * (values[above] - values[below]);
}

double auroc(const std::vector<double> & in, const std::vector<double> & out)
{
  std::vector<double> sorted = out;
  std::sort(sorted.begin(), sorted.end());
  double wins = 0;
  for (const double value : in) {
    const auto [low, high] = std::equal_range(sorted.begin(), sorted.end(), value);
    wins += static_cast<double>(low - sorted.begin()) + 0.5 * static_cast<double>(high - low);
  }
  return wins / (static_cast<double>(in.size()) * static_cast<double>(out.size()));
}

double share_at_or_above(const std::vector<double> & scores, double threshold)
{
  const auto count =
    std::count_if(scores.begin(), scores.end(), [&](double score) { return score >= threshold; });
  return static_cast<double>(count) / static_cast<double>(scores.size());
}

double fpr95(const std::vector<double> & in, const std::vector<double> & out)
{
  return share_at_or_above(out, quantile(in, 0.05));
}

}  // namespace mgproto
