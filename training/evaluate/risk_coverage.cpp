// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/risk_coverage.hpp"

#include <algorithm>
#include <numeric>

#include "mgproto_ros/error.hpp"

namespace mgproto
{
namespace
{

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
