// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__OOD__MAX_LOGIT_HPP_
#define TRAINING__EVALUATE__OOD__MAX_LOGIT_HPP_

#include <torch/types.h>

namespace mgproto
{

/// The largest logit (Hendrycks et al., ICML 2022).
torch::Tensor max_logit(const torch::Tensor & logits /*[N, C]*/);  // [N]

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__OOD__MAX_LOGIT_HPP_
