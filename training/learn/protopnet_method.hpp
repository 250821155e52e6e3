// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__LEARN__PROTOPNET_METHOD_HPP_
#define TRAINING__LEARN__PROTOPNET_METHOD_HPP_

#include "training/learn/method.hpp"

namespace mgproto
{

/// ProtoPNet as published: L_ce + 0.8 cluster - 0.08 separation, where cluster is the squared distance
/// of an image's nearest patch to a prototype of its class and separation that to one of another
/// class; the last layer stays as it began until the prototypes are projected. LossConfig's mining
/// loss may be added, as to MGProto.
class ProtoPNetMethod : public Method
{
public:
  ProtoPNetMethod(const LossConfig & config, PrototypeHead & head);

  Losses losses(const SeenBatch & batch) override;
  std::vector<torch::Tensor> parameters() override { return {head_.means}; }
  double rate(const LearningRates & rates) const override { return rates.add_on; }
  bool has_weight_decay() const override { return false; }

private:
  LossConfig config_;
  PrototypeHead & head_;
  torch::Tensor class_of_;  // [K]
};

}  // namespace mgproto

#endif  // TRAINING__LEARN__PROTOPNET_METHOD_HPP_
