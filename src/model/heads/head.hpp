// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__HEADS__HEAD_HPP_
#define MODEL__HEADS__HEAD_HPP_

#include <torch/nn/module.h>

#include <cstdint>

#include "model/backbones/convolution.hpp"

namespace mgproto
{

/// L2-normalises every feature vector of [B, D, ...]; one of length 0 stays 0.
torch::Tensor unit_vectors(const torch::Tensor & features);

/// What stands behind the backbone and gives every class a logit.
class Head : public torch::nn::Module
{
public:
  virtual int classes() const = 0;

  /// [B, C] of features [B, D, h, w] or [B, D, P]. Their softmax is p(c|x).
  virtual torch::Tensor logits(const torch::Tensor & features) const = 0;

  /// Called once by the network, with the channels of the backbone's map.
  virtual void stand_behind(std::int64_t /*channels*/) {}

  /// Whether the add-on's two 1x1 convolutions are in front. Without, the backbone's map is what
  /// the head sees; with, it is what these make of the convolutions' outputs. Weights without a file
  /// are drawn for add_on_fan().
  virtual bool has_add_on() const { return true; }
  virtual Fan add_on_fan() const { return Fan::out; }
  virtual torch::Tensor between_add_on(const torch::Tensor & first) const { return first; }
  virtual torch::Tensor behind_add_on(const torch::Tensor & second) const
  {
    return unit_vectors(second);
  }
};

}  // namespace mgproto

#endif  // MODEL__HEADS__HEAD_HPP_
