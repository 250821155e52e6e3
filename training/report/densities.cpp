// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/report/densities.hpp"

#include <algorithm>
#include <cmath>

namespace mgproto
{
namespace
{

constexpr int kBins = 60;
// A few images far out must not squeeze all others into one bin: the axis leaves out this share of
// a set on either side.
constexpr double kTail = 0.01;

std::vector<double> finite_ascending(std::vector<double> values)
{
  values.erase(
    std::remove_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); }),
    values.end());
  std::sort(values.begin(), values.end());
  return values;
}

/// Of values that are ascending.
visual::DensityHistogram histogram(
  const std::string & name, bool to_reject, const std::vector<double> & values,
  const visual::DensityHistograms & axis)
{
  visual::DensityHistogram result{name, to_reject, values.size(), {}, {}};
  result.shares.assign(kBins, 0.0);
  for (const double value : values) {
    const double place = std::clamp((value - axis.from) / (axis.to - axis.from), 0.0, 1.0);
    result.shares[std::min(kBins - 1, static_cast<int>(place * kBins))] += 1.0 / values.size();
  }
  if (axis.threshold) {
    const auto first = std::lower_bound(values.begin(), values.end(), *axis.threshold);
    result.accepted = static_cast<double>(values.end() - first) / values.size();
  }
  return result;
}

}  // namespace

visual::DensityHistograms density_histograms(
  const SetScores & log_density, const std::optional<double> & threshold)
{
  struct ImageSet
  {
    std::string name;
    bool to_reject;
    std::vector<double> values;  // ascending
  };
  std::vector<ImageSet> sets{
    {"test", false, finite_ascending(log_density.test)},
    {"calibration", false, finite_ascending(log_density.calibration)}};
  for (const auto & [name, values] : log_density.ood) {
    sets.push_back({name, true, finite_ascending(values)});
  }
  sets.erase(
    std::remove_if(sets.begin(), sets.end(), [](const auto & set) { return set.values.empty(); }),
    sets.end());

  visual::DensityHistograms histograms;
  histograms.threshold = threshold;
  if (sets.empty()) {
    return histograms;
  }
  std::vector<double> ends;
  for (const ImageSet & set : sets) {
    const auto tail = static_cast<std::size_t>(kTail * set.values.size());
    ends.push_back(set.values[tail]);
    ends.push_back(set.values[set.values.size() - 1 - tail]);
  }
  if (threshold) {
    ends.push_back(*threshold);
  }
  const auto [low, high] = std::minmax_element(ends.begin(), ends.end());
  const double margin = *high > *low ? 0.02 * (*high - *low) : 0.5;
  histograms.from = *low - margin;
  histograms.to = *high + margin;
  for (const ImageSet & set : sets) {
    histograms.sets.push_back(histogram(set.name, set.to_reject, set.values, histograms));
  }
  return histograms;
}

}  // namespace mgproto
