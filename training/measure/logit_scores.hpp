// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__LOGIT_SCORES_HPP_
#define TRAINING__MEASURE__LOGIT_SCORES_HPP_

#include <vector>

#include "training/pass/image_outputs.hpp"

namespace mgproto
{

// OoD scores [N] of logits [N, C]. They compute in float64 and are finite; a higher one means more
// in-distribution.

/// Maximal softmax probability (Hendrycks & Gimpel, ICLR 2017).
torch::Tensor msp(const torch::Tensor & logits);

/// The largest logit (Hendrycks et al., ICML 2022).
torch::Tensor max_logit(const torch::Tensor & logits);

/// log sum_c exp(logit_c), the negative energy at temperature 1 (Liu et al., NeurIPS 2020).
torch::Tensor energy(const torch::Tensor & logits);

/// Minus the generalised entropy sum_c p_c^gamma (1 - p_c)^gamma over the M most probable classes,
/// all if there are fewer; gamma = 0.1 and M = 100 as in the paper (GEN, Liu et al., CVPR 2023).
torch::Tensor gen(const torch::Tensor & logits);

std::vector<double> numbers(const torch::Tensor & scores /*[N]*/);

/// log p(x) of each image; of another head than MGProto's, the energy.
inline std::vector<double> log_density(const ImageOutputs & images)
{
  return numbers(energy(images.logits));
}

}  // namespace mgproto

#endif  // TRAINING__MEASURE__LOGIT_SCORES_HPP_
