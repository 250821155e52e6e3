// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__NETWORK_HPP_
#define MODEL__NETWORK_HPP_

#include <torch/nn/module.h>
#include <torch/nn/modules/conv.h>

#include <memory>

#include "mgproto_ros/model_config.hpp"
#include "model/backbone.hpp"
#include "model/gaussian_head.hpp"

namespace mgproto
{

/// backbone -> add-on -> L2 normalisation -> Gaussian head.
class Network : public torch::nn::Module
{
public:
  /// `head` may be null: then only a backbone to start from, `features` may not be called.
  Network(const ModelConfig & config, std::shared_ptr<GaussianHead> head);

  /// z [B, channels, h, w] of normalised images [B, 3, H, W]. Throws ImageError when the image is
  /// too small for the network's strides.
  torch::Tensor backbone_map(const torch::Tensor & images);

  /// Unit feature vectors [B, D, h, w] of z.
  torch::Tensor features(const torch::Tensor & z);

  Densities forward(const torch::Tensor & images)
  {
    return head_->forward(features(backbone_map(images)));
  }

  /// For good: evaluation mode, no gradients, batch-norms folded.
  void prepare_for_inference();

  const ModelConfig & config() const { return config_; }
  Backbone & backbone() { return *backbone_; }
  GaussianHead & head() { return *head_; }
  bool has_head() const { return head_ != nullptr; }

private:
  ModelConfig config_;
  std::shared_ptr<Backbone> backbone_;
  std::shared_ptr<torch::nn::Conv2dImpl> add_on_[2];
  std::shared_ptr<GaussianHead> head_;
};

}  // namespace mgproto

#endif  // MODEL__NETWORK_HPP_
