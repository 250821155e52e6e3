// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/backbones/convolution.hpp"

#include <ATen/ops/mkldnn_convolution.h>
#include <ATen/ops/mkldnn_reorder_conv2d_weight.h>
#include <torch/torch.h>

namespace mgproto
{

Convolution::Convolution(const ConvolutionShape & shape) : shape_(shape)
{
  weight =
    register_parameter("weight", torch::empty({shape.out, shape.in, shape.kernel, shape.kernel}));
  if (shape.bias) {
    bias = register_parameter("bias", torch::empty({shape.out}));
  }
}

torch::Tensor Convolution::forward(const torch::Tensor & x) const
{
  torch::Tensor y =
    weight.is_mkldnn()
      ? at::mkldnn_convolution(
          x, weight, bias, {shape_.padding, shape_.padding}, {shape_.stride, shape_.stride},
          {shape_.dilation, shape_.dilation},
          /*groups=*/1)
      : torch::conv2d(x, weight, bias, shape_.stride, shape_.padding, shape_.dilation);
  positions_ = y.size(2) * y.size(3);
  return y;
}

void Convolution::draw_weights(Fan fan)
{
  if (fan == Fan::in) {
    torch::nn::init::kaiming_normal_(weight, 0, torch::kFanIn, torch::kReLU);
  } else {
    torch::nn::init::kaiming_normal_(weight, 0, torch::kFanOut, torch::kReLU);
  }
  if (bias.defined()) {
    torch::nn::init::zeros_(bias);
  }
}

void Convolution::scale_and_shift(const torch::Tensor & scale, const torch::Tensor & shift)
{
  const torch::NoGradGuard no_grad;
  weight.mul_(scale.view({-1, 1, 1, 1}));
  if (bias.defined()) {
    bias.mul_(scale).add_(shift);
  } else {
    bias = register_parameter("bias", shift.detach());
  }
}

void Convolution::pack_weight()
{
  if (weight.is_mkldnn()) {
    return;
  }
  const torch::NoGradGuard no_grad;
  weight = at::mkldnn_reorder_conv2d_weight(
    weight.detach().to_mkldnn(), {shape_.padding, shape_.padding}, {shape_.stride, shape_.stride},
    {shape_.dilation, shape_.dilation}, /*groups=*/1);
  parameters_["weight"] = weight;
}

}  // namespace mgproto
