// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/calibrate.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>

#include "mgproto_ros/error.hpp"
#include "model/conformal.hpp"
#include "model/joint_score.hpp"
#include "model/number_text.hpp"

namespace mgproto
{
namespace
{

constexpr auto kDensity = static_cast<std::size_t>(Question::density);

}  // namespace

void check_calibration(std::int64_t images, double tpr)
{
  if (!(tpr > 0 && tpr < 1)) {
    throw ConfigError("tpr", "must be within 0 to 1");
  }
  if (conformal_rank(images, tpr) < 1) {
    throw Error(
      "calibration on " + std::to_string(images) + " images: at least " +
      std::to_string(images_needed(tpr)) + " are needed to promise a tpr of " + general(tpr, 6));
  }
}

Calibration calibrate(std::vector<double> log_density, double tpr)
{
  check_calibration(static_cast<std::int64_t>(log_density.size()), tpr);
  if (!std::all_of(
        log_density.begin(), log_density.end(), [](double v) { return std::isfinite(v); })) {
    throw Error("calibration: log p(x) of an image is not finite");
  }
  std::sort(log_density.begin(), log_density.end());
  Calibration calibration;
  calibration.tpr = tpr;
  calibration.log_density = std::move(log_density);
  return calibration;
}

Calibration calibrate(std::vector<Answers> answers, double tpr, Criterion criterion)
{
  std::sort(answers.begin(), answers.end());
  for (const Answers & of_image : answers) {
    if (!std::all_of(of_image.begin(), of_image.end(), [](double v) { return std::isfinite(v); })) {
      throw Error("calibration: an answer of an image is not finite");
    }
  }
  Calibration calibration = calibrate(log_densities(answers), tpr);
  calibration.criterion = criterion;
  set_answers(calibration, std::move(answers));
  return calibration;
}

std::vector<Answers> answers_of(
  Network & network, const torch::Tensor & logits, const torch::Tensor & similarity,
  const torch::Tensor & pooled)
{
  std::vector<Answers> all(logits.size(0), kNoAnswers);
  if (network.familiarity() != nullptr) {
    const torch::Tensor rows =
      network.answers(logits.argmax(1), network.shortfall(similarity), pooled).contiguous();
    const float * value = rows.data_ptr<float>();
    for (Answers & answers : all) {
      std::copy_n(value, kQuestions - 1, answers.begin() + 1);
      value += kQuestions - 1;
    }
  }
  // As precise as log p(x) is elsewhere.
  const torch::Tensor density = logits.to(torch::kFloat64).logsumexp(1).contiguous();
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i][kDensity] = density.data_ptr<double>()[i];
  }
  return all;
}

std::vector<double> log_densities(const std::vector<Answers> & answers)
{
  std::vector<double> values;
  for (const Answers & of_image : answers) {
    values.push_back(of_image[kDensity]);
  }
  return values;
}

Calibration calibrate(
  Network & network, std::vector<Answers> answers, double tpr, Criterion criterion)
{
  return network.familiarity() != nullptr ? calibrate(std::move(answers), tpr, criterion)
                                          : calibrate(log_densities(answers), tpr);
}

}  // namespace mgproto
