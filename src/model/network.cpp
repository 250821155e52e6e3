// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/network.hpp"

#include <torch/torch.h>

#include "mgproto_ros/error.hpp"

namespace mgproto
{

Network::Network(const ModelConfig & config, std::shared_ptr<Head> head)
: config_(config), head_(std::move(head))
{
  backbone_ = register_module("backbone", make_backbone(config.backbone));
  if (!head_) {
    return;
  }
  if (head_->has_add_on()) {
    // Two 1x1 convolutions; what is between and behind them is the head's choice.
    auto add_on = register_module("add_on", std::make_shared<torch::nn::Module>());
    std::int64_t in = backbone_->channels();
    for (int i = 0; i < 2; ++i) {
      add_on_[i] = add_on->register_module(
        std::to_string(i), std::make_shared<torch::nn::Conv2dImpl>(
                             torch::nn::Conv2dOptions(in, config.head.feature_dim, 1)));
      torch::nn::init::kaiming_normal_(add_on_[i]->weight, 0, torch::kFanOut, torch::kReLU);
      torch::nn::init::zeros_(add_on_[i]->bias);
      in = config.head.feature_dim;
    }
  }
  head_->stand_behind(backbone_->channels());
  register_module("head", head_);
}

GaussianHead & Network::gaussian_head()
{
  auto * mixtures = dynamic_cast<GaussianHead *>(head_.get());
  if (mixtures == nullptr) {
    throw ConfigError("head.kind", "'" + config_.head.kind + "' has no p(x), expected mgproto");
  }
  return *mixtures;
}

torch::Tensor Network::backbone_map(const torch::Tensor & images)
{
  torch::Tensor z;
  try {
    z = backbone_->forward(images);
  } catch (const c10::Error &) {
    // A stride takes at least one pixel; find out whether that is what happened.
    const std::int64_t smallest = std::min(images.size(2), images.size(3));
    if (smallest >= 32) {
      throw;
    }
    throw ImageError(
      "input of " + std::to_string(images.size(3)) + "x" + std::to_string(images.size(2)) +
      " pixels is too small for " + config_.backbone.architecture);
  }
  if (config_.backbone.upsample > 1) {
    const double factor = config_.backbone.upsample;
    z = torch::nn::functional::interpolate(
      z, torch::nn::functional::InterpolateFuncOptions()
           .scale_factor(std::vector<double>{factor, factor})
           .mode(torch::kBilinear)
           .align_corners(false));
  }
  return z;
}

torch::Tensor Network::features(const torch::Tensor & z)
{
  if (!head_->has_add_on()) {
    return z;
  }
  const torch::Tensor first = head_->between_add_on(add_on_[0]->forward(z));
  return head_->behind_add_on(add_on_[1]->forward(first));
}

void Network::prepare_for_inference()
{
  eval();
  backbone_->fold_batch_norms();
  for (auto & parameter : parameters()) {
    parameter.set_requires_grad(false);
  }
}

}  // namespace mgproto
