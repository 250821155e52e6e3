// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/report/densities.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace mgproto
{
namespace
{

using nlohmann::json;

constexpr int kBins = 60;
// A few images far out must not squeeze all others into one bin: the axis leaves out this share of
// a set on either side.
constexpr double kTail = 0.01;

struct ImageSet
{
  std::string name;
  std::string kind;
  std::vector<double> values;  // ascending, not empty
};

void add_set(
  const std::string & name, const std::string & kind, const json & values,
  std::vector<ImageSet> & sets)
{
  ImageSet set{name, kind, {}};
  if (values.is_array()) {
    for (const json & value : values) {
      if (value.is_number() && std::isfinite(value.get<double>())) {
        set.values.push_back(value.get<double>());
      }
    }
  }
  if (!set.values.empty()) {
    std::sort(set.values.begin(), set.values.end());
    sets.push_back(std::move(set));
  }
}

std::vector<ImageSet> sets_of(const json & log_density)
{
  std::vector<ImageSet> sets;
  if (!log_density.is_object()) {
    return sets;
  }
  add_set("test", "test", log_density.value("test", json()), sets);
  add_set("calibration", "calibration", log_density.value("calibration", json()), sets);
  const json ood = log_density.value("ood", json());
  for (const auto & [name, values] : ood.items()) {
    add_set(name, "ood", values, sets);
  }
  return sets;
}

std::pair<double, double> range_of(const std::vector<ImageSet> & sets, const json & threshold)
{
  double from = sets.front().values.front();
  double to = from;
  bool first = true;
  for (const ImageSet & set : sets) {
    const std::size_t tail = static_cast<std::size_t>(kTail * set.values.size());
    const double low = set.values[tail];
    const double high = set.values[set.values.size() - 1 - tail];
    from = first ? low : std::min(from, low);
    to = first ? high : std::max(to, high);
    first = false;
  }
  if (threshold.is_number()) {
    from = std::min(from, threshold.get<double>());
    to = std::max(to, threshold.get<double>());
  }
  const double margin = to > from ? 0.02 * (to - from) : 0.5;
  return {from - margin, to + margin};
}

json histogram(const ImageSet & set, double from, double to, const json & threshold)
{
  std::vector<double> shares(kBins, 0.0);
  for (const double value : set.values) {
    const double place = std::clamp((value - from) / (to - from), 0.0, 1.0);
    shares[std::min(kBins - 1, static_cast<int>(place * kBins))] += 1.0 / set.values.size();
  }
  json accepted;
  if (threshold.is_number()) {
    const auto first =
      std::lower_bound(set.values.begin(), set.values.end(), threshold.get<double>());
    accepted = static_cast<double>(set.values.end() - first) / set.values.size();
  }
  return {
    {"name", set.name},
    {"kind", set.kind},
    {"images", set.values.size()},
    {"accepted", accepted},
    {"shares", shares}};
}

}  // namespace

json density_histograms(const json & log_density, const json & threshold)
{
  const std::vector<ImageSet> sets = sets_of(log_density);
  if (sets.empty()) {
    return nullptr;
  }
  const auto [from, to] = range_of(sets, threshold);
  json histograms = json::array();
  for (const ImageSet & set : sets) {
    histograms.push_back(histogram(set, from, to, threshold));
  }
  return {{"from", from}, {"to", to}, {"threshold", threshold}, {"sets", histograms}};
}

}  // namespace mgproto
