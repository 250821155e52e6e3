// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__HEADS__HEAD_HPP_
#define MODEL__HEADS__HEAD_HPP_

#include <torch/nn/module.h>

#include <cstdint>
#include <optional>

#include "model/backbones/convolution.hpp"

namespace mgproto
{

/// A linear classifier on the mean of the backbone's map.
struct LinearLayer
{
  torch::Tensor weight;  ///< [C, channels]
  torch::Tensor bias;    ///< [C]
};

/// What follows the backbone and gives every class a logit.
class Head : public torch::nn::Module
{
public:
  virtual int classes() const = 0;

  /// [B, C] of features [B, D, h, w] or [B, D, P]; their softmax is p(c|x). `whole` is
  /// Network::whole() of the same images, undefined for a head that does not look at it.
  virtual torch::Tensor logits(
    const torch::Tensor & features, const torch::Tensor & whole = {}) const = 0;

  /// How many of the features, the first ones, the image as a whole is compared in; 0 if it is not.
  virtual std::int64_t whole_dim() const { return 0; }

  /// Called once by the network, with the channels of the backbone's map.
  virtual void set_input_channels(std::int64_t /*channels*/) {}

  /// Whether the add-on's two 1x1 convolutions are in front, and what follows each of them: an
  /// activation, a normalisation. Without, the head sees the backbone's map. Weights without a file
  /// are drawn for add_on_fan().
  virtual bool has_add_on() const { return true; }
  virtual Fan add_on_fan() const { return Fan::out; }
  virtual torch::Tensor after_first_convolution(const torch::Tensor & x) const { return x; }
  virtual torch::Tensor after_second_convolution(const torch::Tensor & x) const { return x; }

  /// None unless that is all the head is.
  virtual std::optional<LinearLayer> linear_layer() const { return std::nullopt; }
};

}  // namespace mgproto

#endif  // MODEL__HEADS__HEAD_HPP_
