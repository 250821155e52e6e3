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

/// Of a new network. Unset ones are for whoever sets them all, and saves the time of drawing them.
enum class Weights
{
  random,
  unset
};

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

  /// Whether all its layers also exist for tensors in oneDNN's own layout.
  virtual bool can_be_packed() const { return true; }

protected:
  /// Two maps of the same size, the channels of one behind those of the other.
  static torch::Tensor stacked(const torch::Tensor & map, const torch::Tensor & other);

  std::int64_t channels_ = 0;
};

/// Throws ConfigError for an unknown architecture or a setting that the
/// architecture does not have.
std::shared_ptr<Backbone> make_backbone(
  const BackboneConfig & config, Weights weights = Weights::random);

/// The same in the common layout, whatever a backbone gave.
torch::Tensor unpacked(const torch::Tensor & map);

std::shared_ptr<Backbone> make_vgg(const BackboneConfig & config);
std::shared_ptr<Backbone> make_resnet(const BackboneConfig & config);
std::shared_ptr<Backbone> make_densenet(const BackboneConfig & config);

}  // namespace mgproto

#endif  // MODEL__BACKBONE_HPP_
