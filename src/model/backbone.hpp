// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__BACKBONE_HPP_
#define MODEL__BACKBONE_HPP_

#include <torch/nn/module.h>

#include <memory>
#include <string>
#include <vector>

#include "mgproto_ros/model_config.hpp"

namespace mgproto
{

/// A convolutional network without its classifier. Parameters carry torchvision's names, so that
/// its weights load by name.
class Backbone : public torch::nn::Module
{
public:
  /// [B, 3, H, W] -> [B, channels, h, w]
  virtual torch::Tensor forward(torch::Tensor image) = 0;

  std::int64_t channels() const { return channels_; }

  /// For inference only: merges each batch-norm into the convolution in front of it, where there is
  /// one. The network must be in evaluation mode for good.
  virtual void fold_batch_norms() = 0;

protected:
  std::int64_t channels_ = 0;
};

/// With random weights. Throws ConfigError for an unknown architecture or a setting that the
/// architecture does not have.
std::shared_ptr<Backbone> make_backbone(const BackboneConfig & config);

std::shared_ptr<Backbone> make_vgg(const BackboneConfig & config);
std::shared_ptr<Backbone> make_resnet(const BackboneConfig & config);
std::shared_ptr<Backbone> make_densenet(const BackboneConfig & config);

}  // namespace mgproto

#endif  // MODEL__BACKBONE_HPP_
