// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__BACKBONES__CONV_NORM_HPP_
#define MODEL__BACKBONES__CONV_NORM_HPP_

#include <torch/torch.h>

#include <string>

#include "model/backbones/convolution.hpp"

namespace mgproto
{

/// A convolution and the batch-norm behind it, which torchvision registers as two siblings.
class ConvNorm
{
public:
  ConvNorm() = default;
  /// `owner` must outlive this. No batch-norm where its name is empty.
  ConvNorm(
    torch::nn::Module & owner, const std::string & conv_name, const std::string & norm_name,
    const ConvolutionShape & shape)
  : owner_(&owner),
    norm_name_(norm_name),
    conv_(owner.register_module(conv_name, std::make_shared<Convolution>(shape)))
  {
    if (!norm_name.empty()) {
      norm_ = owner.register_module(norm_name, torch::nn::BatchNorm2d(shape.out));
    }
  }

  explicit operator bool() const { return owner_ != nullptr; }

  torch::Tensor operator()(const torch::Tensor & x)
  {
    const torch::Tensor y = conv_->forward(x);
    return norm_ ? norm_(y) : y;
  }

  /// y = (w*x - mean) * scale + bias becomes one convolution with weight w * scale.
  void fold()
  {
    if (!norm_) {
      return;
    }
    torch::NoGradGuard no_grad;
    const torch::Tensor scale =
      norm_->weight / torch::sqrt(norm_->running_var + norm_->options.eps());
    conv_->scale_and_shift(scale, norm_->bias - norm_->running_mean * scale);
    owner_->unregister_module(norm_name_);
    norm_ = nullptr;
  }

private:
  torch::nn::Module * owner_ = nullptr;
  std::string norm_name_;
  std::shared_ptr<Convolution> conv_;
  torch::nn::BatchNorm2d norm_{nullptr};
};

}  // namespace mgproto

#endif  // MODEL__BACKBONES__CONV_NORM_HPP_
