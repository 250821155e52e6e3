// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__LEARN__SOFTMAX_METHOD_HPP_
#define TRAINING__LEARN__SOFTMAX_METHOD_HPP_

#include "training/learn/method.hpp"

namespace mgproto
{

/// Cross-entropy, and nothing else; moves all that the head has.
class SoftmaxMethod : public Method
{
public:
  explicit SoftmaxMethod(Head & head) : head_(head) {}

  Losses losses(const SeenBatch & batch) override;
  std::vector<torch::Tensor> parameters() override { return head_.parameters(); }
  double rate(const LearningRates & rates) const override { return rates.add_on; }

private:
  Head & head_;
};

}  // namespace mgproto

#endif  // TRAINING__LEARN__SOFTMAX_METHOD_HPP_
