// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef SMALL_MODEL_HPP_
#define SMALL_MODEL_HPP_

#include <torch/torch.h>

#include <memory>

#include "mgproto_ros/manifest.hpp"
#include "model/network.hpp"

namespace mgproto::test
{

/// A ResNet18 of width 1/16 with three classes of 2, 3 and 1 prototypes: real, and fast to run.
inline ModelConfig small_config()
{
  ModelConfig config;
  config.backbone.architecture = "resnet18";
  config.backbone.width = 1.0 / 16;
  config.head.feature_dim = 8;
  return config;
}

inline std::shared_ptr<Network> small_network()
{
  torch::manual_seed(11);
  const torch::Tensor means = unit_vectors(torch::randn({6, 8}));
  const torch::Tensor priors = torch::tensor({0.5f, 0.5f, 0.2f, 0.3f, 0.5f, 1.0f});
  const auto network = std::make_shared<Network>(
    small_config(), std::make_shared<GaussianHead>(
                      means, priors, std::vector<int>{0, 0, 1, 1, 1, 2}, small_config().head));
  torch::NoGradGuard no_grad;
  for (const auto & module : network->modules()) {
    if (auto * norm = module->as<torch::nn::BatchNorm2d>()) {
      norm->running_mean.normal_(0, 0.1);
      norm->running_var.uniform_(0.5, 1.5);
    }
  }
  network->eval();
  return network;
}

inline Manifest small_manifest()
{
  Manifest manifest;
  manifest.model = small_config();
  manifest.preprocessing.size = 48;
  manifest.classes = {"finch", "wren", "jay"};
  return manifest;
}

/// Of four images. The second has the threshold: 2 = (4 + 1) (1 - 0.6).
inline Calibration small_calibration(double threshold)
{
  return {0.6, {threshold - 1, threshold, threshold + 1, threshold + 2}};
}

}  // namespace mgproto::test

#endif  // SMALL_MODEL_HPP_
