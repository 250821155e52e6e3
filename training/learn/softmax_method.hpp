// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__LEARN__SOFTMAX_METHOD_HPP_
#define TRAINING__LEARN__SOFTMAX_METHOD_HPP_

#include "model/heads/softmax_head.hpp"
#include "training/learn/method.hpp"

namespace mgproto
{

/// Cross-entropy, and nothing else.
class SoftmaxMethod : public Method
{
public:
  explicit SoftmaxMethod(SoftmaxHead & head) : head_(head) {}

  Losses losses(const SeenBatch & batch) override;
  std::vector<torch::Tensor> parameters() override { return {head_.weight, head_.bias}; }
  double rate(const LearningRates & rates) const override { return rates.add_on; }

private:
  SoftmaxHead & head_;
};

}  // namespace mgproto

#endif  // TRAINING__LEARN__SOFTMAX_METHOD_HPP_
