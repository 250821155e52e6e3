// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/joint_score.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mgproto
{
namespace
{

// Chosen on development data: docs/evaluation.md.
constexpr double kVetoShift = 2;
constexpr double kVetoWeight = 2;

/// Relative to the answers' size: calibration images that all answer alike.
constexpr double kSmallestDeviation = 1e-9;

/// log of the normal distribution function, finite for any finite z.
double log_phi(double z)
{
  constexpr double kFarTail = -25;  // erfc is far from its smallest value there
  if (z > kFarTail) {
    return std::log(std::erfc(-z / std::sqrt(2.0)) / 2);
  }
  constexpr double kLogSqrtTwoPi = 0.91893853320467274178;
  return -z * z / 2 - std::log(-z) - kLogSqrtTwoPi;
}

}  // namespace

JointScore::JointScore(const std::vector<Answers> & calibration)
: images_(static_cast<double>(calibration.size())), origin_(calibration.front())
{
  for (const Answers & answers : calibration) {
    for (std::size_t q = 0; q < kQuestions; ++q) {
      const double offset = answers[q] - origin_[q];
      sum_[q] += offset;
      squares_[q] += offset * offset;
    }
  }
}

Answers JointScore::terms(const Answers & answers) const
{
  Answers terms{};
  for (std::size_t q = 0; q < kQuestions; ++q) {
    const double mean = sum_[q] / images_;
    const double variance = std::max(0.0, squares_[q] / images_ - mean * mean);
    const double smallest = kSmallestDeviation * (1 + std::abs(origin_[q]));
    const double z = (answers[q] - origin_[q] - mean) / std::max(std::sqrt(variance), smallest);
    terms[q] = q == static_cast<std::size_t>(Question::distance)
                 ? kVetoWeight * log_phi(z + kVetoShift)
                 : log_phi(z);
  }
  return terms;
}

double JointScore::operator()(const Answers & answers) const
{
  const Answers of_questions = terms(answers);
  return std::accumulate(of_questions.begin(), of_questions.end(), 0.0);
}

std::vector<double> calibration_scores(const std::vector<Answers> & calibration)
{
  const JointScore all(calibration);
  std::vector<double> scores;
  for (const Answers & left_out : calibration) {
    JointScore others = all;
    others.images_ -= 1;
    for (std::size_t q = 0; q < kQuestions; ++q) {
      const double offset = left_out[q] - all.origin_[q];
      others.sum_[q] -= offset;
      others.squares_[q] -= offset * offset;
    }
    scores.push_back(others(left_out));
  }
  std::sort(scores.begin(), scores.end());
  return scores;
}

void set_answers(Calibration & calibration, std::vector<Answers> answers)
{
  for (std::size_t q = 0; q < kQuestions; ++q) {
    std::vector<double> & ascending = calibration.by_question[q];
    ascending.clear();
    for (const Answers & of_image : answers) {
      ascending.push_back(of_image[q]);
    }
    std::sort(ascending.begin(), ascending.end());
  }
  calibration.joint = calibration_scores(answers);
  calibration.answers = std::move(answers);
}

}  // namespace mgproto
