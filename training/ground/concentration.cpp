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

}  // namespace

double fitted_concentration(Network & network, Loader & loader, const Progress & progress)
{
  const torch::NoGradGuard no_grad;
  const GaussianHead & head = network.gaussian_head();
  const ImageOutputs images =
    collect(network, loader, progress, {{"similarity", &BatchOutputs::similarity}});
  double best = head.concentration();
  double smallest = std::numeric_limits<double>::infinity();
  const auto steps = static_cast<int>(std::log2(kLargest / kSmallest) * kStepsPerOctave);
  for (int step = 0; step <= steps; ++step) {
    const double concentration = kSmallest * std::exp2(step / kStepsPerOctave);
    // log h is proportional to kappa.
    const torch::Tensor logits =
      head.class_logits(images.similarity * (concentration / head.concentration()));
    const double loss =
      torch::nn::functional::cross_entropy(logits.to(torch::kFloat64), images.labels)
        .item<double>();
    if (loss < smallest) {
      smallest = loss;
      best = concentration;
    }
  }
  return best;
}

}  // namespace mgproto
