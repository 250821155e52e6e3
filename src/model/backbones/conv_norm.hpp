// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__BACKBONES__CONV_NORM_HPP_
#define MODEL__BACKBONES__CONV_NORM_HPP_

#include <torch/torch.h>

#include <string>

namespace mgproto
{

inline torch::nn::Conv2dOptions conv(
  std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride = 1,
  std::int64_t padding = 0)
{
  return torch::nn::Conv2dOptions(in, out, kernel).stride(stride).padding(padding).bias(false);
}

/// A convolution and the batch-norm behind it, which torchvision registers as two siblings.
class ConvNorm
{
public:
  ConvNorm() = default;
  /// `owner` must outlive this.
  ConvNorm(
    torch::nn::Module & owner, const std::string & conv_name, const std::string & norm_name,
    const torch::nn::Conv2dOptions & options)
  : owner_(&owner),
    conv_name_(conv_name),
    norm_name_(norm_name),
    options_(options),
    conv_(owner.register_module(conv_name, torch::nn::Conv2d(options))),
    norm_(owner.register_module(norm_name, torch::nn::BatchNorm2d(options.out_channels())))
  {
  }

  explicit operator bool() const { return owner_ != nullptr; }

  torch::Tensor operator()(const torch::Tensor & x) { return norm_ ? norm_(conv_(x)) : conv_(x); }

  /// y = (w*x - mean) * scale + bias becomes one convolution with weight w * scale.
  void fold()
  {
    if (!norm_) {
      return;
    }
    torch::NoGradGuard no_grad;
    const torch::Tensor scale =
      norm_->weight / torch::sqrt(norm_->running_var + norm_->options.eps());
    torch::nn::Conv2d folded(torch::nn::Conv2dOptions(options_).bias(true));
    folded->weight.copy_(conv_->weight * scale.view({-1, 1, 1, 1}));
    folded->bias.copy_(norm_->bias - norm_->running_mean * scale);
    if (conv_->bias.defined()) {
      folded->bias.add_(conv_->bias * scale);
    }
    conv_ = owner_->replace_module(conv_name_, folded);
    owner_->unregister_module(norm_name_);
    norm_ = nullptr;
  }

private:
  torch::nn::Module * owner_ = nullptr;
  std::string conv_name_;
  std::string norm_name_;
  torch::nn::Conv2dOptions options_{1, 1, 1};
  torch::nn::Conv2d conv_{nullptr};
  torch::nn::BatchNorm2d norm_{nullptr};
};

}  // namespace mgproto

#endif  // MODEL__BACKBONES__CONV_NORM_HPP_
