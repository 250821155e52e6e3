// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__JOINT_SCORE_HPP_
#define MODEL__JOINT_SCORE_HPP_

#include <vector>

#include "mgproto_ros/manifest.hpp"

namespace mgproto
{

/// Joins the answers to all questions into one score, with nothing but the answers of calibration
/// images; no stranger is needed.
///
/// An answer a becomes z = (a - mean) / deviation, in the calibration images' mean and deviation, and
/// log Phi(z), the logarithm of how rare an answer as low as that is for a known image: about 0 for a
/// usual one, -z^2 / 2 for one far below. The score is their sum (Fisher's method), so that one answer
/// far off is enough, and several slightly low ones are, too. The distance is a veto: it is heard only
/// where it is more than a deviation or two below the mean, because near strangers are no farther away
/// than known images are, but then twice as loud.
class JointScore
{
public:
  /// Answers of at least two images.
  explicit JointScore(const std::vector<Answers> & calibration);

  double operator()(const Answers & answers) const;

  /// What each question adds to the score, 0 or less.
  Answers terms(const Answers & answers) const;

private:
  friend std::vector<double> calibration_scores(const std::vector<Answers> & calibration);

  double images_;
  Answers sum_{};
  Answers squares_{};  // about the first image's answers, so that nothing cancels
  Answers origin_{};
};

/// The score of each calibration image, joined by the others alone, as that of a new image is;
/// ascending.
std::vector<double> calibration_scores(const std::vector<Answers> & calibration);

/// Gives a calibration the answers of its images and what follows from them.
void set_answers(Calibration & calibration, std::vector<Answers> answers);

}  // namespace mgproto

#endif  // MODEL__JOINT_SCORE_HPP_
