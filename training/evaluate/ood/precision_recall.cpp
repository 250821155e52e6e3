// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/ood/precision_recall.hpp"

#include <algorithm>
#include <functional>

#include "mgproto_ros/error.hpp"

namespace mgproto
{
namespace
{

double average_precision(std::vector<double> positive, std::vector<double> negative)
{
  if (positive.empty() || negative.empty()) {
    throw Error("precision and recall: expected scores of both in-distribution and OoD images");
  }
  std::sort(positive.begin(), positive.end(), std::greater<double>());
  std::sort(negative.begin(), negative.end(), std::greater<double>());
  double area = 0;
  std::size_t found = 0;  // positives at or above the threshold
  std::size_t wrong = 0;  // negatives there
  while (found < positive.size()) {
    const double threshold = positive[found];
    const std::size_t before = found;
    while (found < positive.size() && positive[found] == threshold) {
      ++found;
    }
    while (wrong < negative.size() && negative[wrong] >= threshold) {
      ++wrong;
    }
    area += static_cast<double>(found - before) * static_cast<double>(found) /
            static_cast<double>(found + wrong);
  }
  return area / static_cast<double>(positive.size());
}

std::vector<double> negated(std::vector<double> values)
{
  std::transform(values.begin(), values.end(), values.begin(), std::negate<double>());
  return values;
}

}  // namespace

double aupr_in(const std::vector<double> & in, const std::vector<double> & out)
{
  return average_precision(in, out);
}

double aupr_out(const std::vector<double> & in, const std::vector<double> & out)
{
  return average_precision(negated(out), negated(in));
}

}  // namespace mgproto
