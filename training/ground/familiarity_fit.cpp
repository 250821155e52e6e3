// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/ground/familiarity_fit.hpp"

#include <torch/torch.h>

#include "training/pass/image_outputs.hpp"

namespace mgproto
{
namespace
{

/// Of the covariance within classes: with 27 images a class and 2048 channels accuracy and AUROC
/// hardly move between 0.1 and 0.6.
constexpr double kShrinkage = 0.3;

}  // namespace

void fit_familiarity(Network & network, Loader & loader, const Progress & progress)
{
  const torch::NoGradGuard no_grad;
  const GaussianHead & head = network.gaussian_head();
  const ImageOutputs images = collect(
    network, loader, progress,
    {{"similarity", &BatchOutputs::similarity}, {"features", &BatchOutputs::pooled}});
  network
    .add_familiarity(
      familiarity_for(head.classes(), images.labels.size(0), images.features.size(1)))
    .fit(
      images.features, images.similarity.slice(1, 0, head.prototypes()) / head.concentration(),
      images.labels, kShrinkage);
}

}  // namespace mgproto
