// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/ood/gem.hpp"

#include <torch/torch.h>

namespace mgproto
{

torch::Tensor Gem::score(const ImageOutputs & images) const
{
  return (-0.5 * gaussians_.squared_distances(images.features)).logsumexp(1);
}

}  // namespace mgproto
