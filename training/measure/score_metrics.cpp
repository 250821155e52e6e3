// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/score_metrics.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "mgproto_ros/error.hpp"
#include "model/quantile.hpp"

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

/// The images at or above one score.
struct Answered
{
  double threshold;
  std::size_t images;
  std::size_t right;
  double accuracy() const { return static_cast<double>(right) / static_cast<double>(images); }
};

/// One for each different score, highest first.
std::vector<Answered> answered_at(
  const std::vector<double> & score, const std::vector<bool> & right)
{
  if (score.empty() || score.size() != right.size()) {
    throw Error("risk and coverage: expected a score and an outcome of each of one or more images");
  }
  std::vector<std::size_t> order(score.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(
    order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return score[a] > score[b]; });
  std::vector<Answered> answered;
  std::size_t right_so_far = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    right_so_far += right[order[i]] ? 1 : 0;
    if (i + 1 == order.size() || score[order[i + 1]] != score[order[i]]) {
      answered.push_back({score[order[i]], i + 1, right_so_far});
    }
  }
  return answered;
}

}  // namespace

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

double aupr_in(const std::vector<double> & in, const std::vector<double> & out)
{
  return average_precision(in, out);
}

double aupr_out(const std::vector<double> & in, const std::vector<double> & out)
{
  return average_precision(negated(out), negated(in));
}

std::vector<RiskPoint> risk_coverage(
  const std::vector<double> & score, const std::vector<bool> & right, int points)
{
  if (points < 2) {
    throw ConfigError("points", "must be at least 2");
  }
  const std::vector<Answered> all = answered_at(score, right);
  const auto steps = static_cast<std::size_t>(points - 1);
  std::vector<RiskPoint> curve;
  std::size_t wanted_step = 0;
  for (const Answered & answered : all) {
    if (answered.images * steps < wanted_step * score.size()) {
      continue;
    }
    const double coverage =
      static_cast<double>(answered.images) / static_cast<double>(score.size());
    curve.push_back({answered.threshold, coverage, answered.accuracy()});
    wanted_step = answered.images * steps / score.size() + 1;
  }
  return curve;
}

double area_under_risk_coverage(const std::vector<double> & score, const std::vector<bool> & right)
{
  double risk = 0;
  std::size_t before = 0;
  for (const Answered & answered : answered_at(score, right)) {
    risk += static_cast<double>(answered.images - before) * (1 - answered.accuracy());
    before = answered.images;
  }
  return risk / static_cast<double>(score.size());
}

}  // namespace mgproto
