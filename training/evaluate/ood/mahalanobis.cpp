// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/ood/mahalanobis.hpp"

#include <torch/torch.h>

namespace mgproto
{

torch::Tensor Mahalanobis::score(const ImageOutputs & images) const
{
  return -gaussians_.squared_distances(images.features).amin(1);
}

}  // namespace mgproto
