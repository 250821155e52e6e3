// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__HEADS__PROTOPNET_HEAD_HPP_
#define MODEL__HEADS__PROTOPNET_HEAD_HPP_

#include "model/heads/prototype_head.hpp"

namespace mgproto
{

/// ProtoPNet (Chen et al., NeurIPS 2019), to compare with: prototypes are points learnt by gradient,
/// a similarity is log((d^2 + 1) / (d^2 + epsilon)), and a linear layer sums the similarities to
/// logits. Features are its own, too: ReLU after the add-on's first convolution, sigmoid after the
/// second.
class ProtoPNetHead : public PrototypeHead
{
public:
  /// Prototypes drawn uniformly from [0, 1), connections 1 to the own class and -0.5 to others.
  ProtoPNetHead(const std::vector<int> & prototype_class, std::int64_t feature_dim);

  torch::Tensor similarity_maps(
    const torch::Tensor & features, const torch::Tensor & prototypes) const override;
  torch::Tensor class_logits(const torch::Tensor & similarity) const override;
  torch::Tensor activation(const torch::Tensor & similarity) const override { return similarity; }
  torch::Tensor contributions(const torch::Tensor & similarity) const override;
  torch::Tensor last_layer() const override { return weight; }
  /// The published drawing keeps the gradients, and lets values grow with the backbone's channels
  /// per feature: behind a ResNet50 and with D = 64 the sigmoid would be saturated from the start.
  Fan add_on_fan() const override { return Fan::in; }
  torch::Tensor after_first_convolution(const torch::Tensor & x) const override;
  torch::Tensor after_second_convolution(const torch::Tensor & x) const override;

  /// d^2 of every position and prototype, as similarity_maps.
  static torch::Tensor squared_distances(
    const torch::Tensor & features, const torch::Tensor & prototypes);  // [B, K', P]
  static torch::Tensor similarity(const torch::Tensor & squared_distance);

  torch::Tensor weight;  ///< of the last layer [C, K]
};

}  // namespace mgproto

#endif  // MODEL__HEADS__PROTOPNET_HEAD_HPP_
