// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/ground/concentration.hpp"

#include <torch/torch.h>

#include <cmath>
#include <limits>

#include "training/pass/image_outputs.hpp"

namespace mgproto
{
namespace
{

// What is tried, in steps of a tenth of an octave.
constexpr double kSmallest = 0.25;
constexpr double kLargest = 256;
constexpr double kStepsPerOctave = 10;

/// Mean cross-entropy of the answers being right, with one more image right and one more wrong than were
/// seen (Platt 1999): where all are right, being ever surer would cost nothing otherwise.
double loss_of(const torch::Tensor & logits, const torch::Tensor & labels)
{
  const double doubt = 1.0 / static_cast<double>(labels.size(0) + 2);
  const torch::Tensor log_posterior = logits.to(torch::kFloat64).log_softmax(1);
  const torch::Tensor truth = torch::one_hot(labels, logits.size(1)).to(torch::kBool);
  const torch::Tensor right = log_posterior.masked_select(truth);
  const torch::Tensor wrong =
    log_posterior.masked_fill(truth, -std::numeric_limits<double>::infinity()).logsumexp(1);
  return -((1 - doubt) * right + doubt * wrong).mean().item<double>();
}

}  // namespace

double fitted_concentration(
  const GaussianHead & head, const torch::Tensor & similarity, const torch::Tensor & labels)
{
  double best = head.concentration();
  double smallest = std::numeric_limits<double>::infinity();
  const auto steps = static_cast<int>(std::log2(kLargest / kSmallest) * kStepsPerOctave);
  for (int step = 0; step <= steps; ++step) {
    const double concentration = kSmallest * std::exp2(step / kStepsPerOctave);
    // log h is proportional to kappa.
    const torch::Tensor logits =
      head.class_logits(similarity * (concentration / head.concentration()));
    const double loss = loss_of(logits, labels);
    if (loss < smallest) {
      smallest = loss;
      best = concentration;
    }
  }
  return best;
}

double fitted_concentration(Network & network, Loader & loader, const Progress & progress)
{
  const torch::NoGradGuard no_grad;
  const ImageOutputs images =
    collect(network, loader, progress, {{"similarity", &BatchOutputs::similarity}});
  return fitted_concentration(network.gaussian_head(), images.similarity, images.labels);
}

}  // namespace mgproto
