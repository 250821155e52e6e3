// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__HEADS__SOFTMAX_HEAD_HPP_
#define MODEL__HEADS__SOFTMAX_HEAD_HPP_

#include "model/heads/head.hpp"

namespace mgproto
{

/// The plain classifier to compare with: one linear layer on the mean of the backbone's map.
class SoftmaxHead : public Head
{
public:
  explicit SoftmaxHead(int classes) : classes_(classes) {}

  int classes() const override { return classes_; }
  torch::Tensor logits(
    const torch::Tensor & features, const torch::Tensor & whole = {}) const override;
  void set_input_channels(std::int64_t channels) override;
  bool has_add_on() const override { return false; }
  std::optional<LinearLayer> linear_layer() const override { return LinearLayer{weight, bias}; }

  torch::Tensor weight;  ///< [C, channels]
  torch::Tensor bias;    ///< [C]

private:
  int classes_;
};

}  // namespace mgproto

#endif  // MODEL__HEADS__SOFTMAX_HEAD_HPP_
