// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__UPSAMPLED_HPP_
#define MODEL__UPSAMPLED_HPP_

#include <torch/nn/functional/upsampling.h>

namespace mgproto
{

/// BackboneConfig::upsample, bilinear: [B, C, h, w] -> [B, C, factor h, factor w].
inline torch::Tensor upsampled(const torch::Tensor & z, int factor)
{
  if (factor == 1) {
    return z;
  }
  const double scale = factor;
  return torch::nn::functional::interpolate(
    z, torch::nn::functional::InterpolateFuncOptions()
         .scale_factor(std::vector<double>{scale, scale})
         .mode(torch::kBilinear)
         .align_corners(false));
}

}  // namespace mgproto

#endif  // MODEL__UPSAMPLED_HPP_
