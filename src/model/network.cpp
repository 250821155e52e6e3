// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/network.hpp"

#include <torch/torch.h>

#include "mgproto_ros/error.hpp"
#include "model/backbones/staged_backbone.hpp"
#include "model/upsampled.hpp"

namespace mgproto
{

Network::Network(const ModelConfig & config, std::shared_ptr<Head> head, Weights weights)
: Network(config, std::move(head), make_backbone(config.backbone, weights), weights)
{
}

Network::Network(const ModelConfig & config, std::shared_ptr<Head> head, const Network & other)
: Network(config, std::move(head), other.backbone_, Weights::unset)
{
  packed_ = other.packed_;
}

Network::Network(
  const ModelConfig & config, std::shared_ptr<Head> head, std::shared_ptr<Backbone> backbone,
  Weights weights)
: config_(config),
  head_(std::move(head)),
  prototype_head_(dynamic_cast<PrototypeHead *>(head_.get())),
  gaussian_head_(dynamic_cast<GaussianHead *>(head_.get()))
{
  backbone_ = register_module("backbone", std::move(backbone));
  if (!head_) {
    return;
  }
  if (head_->has_add_on()) {
    // Two 1x1 convolutions; what follows each is the head's choice.
    auto add_on = register_module("add_on", std::make_shared<torch::nn::Module>());
    std::int64_t in = backbone_->channels();
    for (int i = 0; i < 2; ++i) {
      add_on_[i] = add_on->register_module(
        std::to_string(i), std::make_shared<Convolution>(ConvolutionShape{
                             in, config.head.feature_dim, 1, 1, 0, /*bias=*/true}));
      if (weights == Weights::random) {
        add_on_[i]->draw_weights(head_->add_on_fan());
      }
      in = config.head.feature_dim;
    }
  }
  head_->set_input_channels(backbone_->channels());
  register_module("head", head_);
  if (has_density() && head_->whole_dim() > 0 && gaussian_head_->taught() > 0) {
    const std::int64_t count = gaussian_head_->taught();
    taught_directions =
      register_buffer("taught_directions", torch::zeros({count, backbone_->channels()}));
    taught_offsets = register_buffer("taught_offsets", torch::zeros({count}));
  }
  if (config.familiarity.class_dim > 0 && has_density()) {
    add_familiarity(config.familiarity);
  }
  if (config.seen.images > 0 && has_density()) {
    keep(std::make_shared<SeenImages>(config.seen, backbone_->channels(), config.head.feature_dim));
  }
}

void Network::keep(std::shared_ptr<SeenImages> images)
{
  config_.seen = images->config();
  seen_ = seen_ == nullptr ? register_module("seen", std::move(images))
                           : replace_module("seen", std::move(images));
}

Familiarity & Network::add_familiarity(const FamiliarityConfig & config)
{
  config_.familiarity = config;
  auto familiarity =
    std::make_shared<Familiarity>(config, gaussian_head().prototype_class(), backbone_->channels());
  familiarity_ = familiarity_ == nullptr ? register_module("familiarity", familiarity)
                                         : replace_module("familiarity", familiarity);
  return *familiarity_;
}

torch::Tensor Network::shortfall(const torch::Tensor & similarity)
{
  if (familiarity_ == nullptr) {
    return {};
  }
  const GaussianHead & head = gaussian_head();
  // log h is proportional to kappa.
  return familiarity_->shortfall(similarity.slice(1, 0, head.prototypes()) / head.concentration());
}

torch::Tensor Network::answers(
  const torch::Tensor & predicted, const torch::Tensor & shortfall, const torch::Tensor & pooled)
{
  if (familiarity_ == nullptr) {
    return {};
  }
  const Familiarity::Located located = familiarity_->locate(pooled, predicted);
  return torch::stack(
    {familiarity_->parts(shortfall, predicted), familiarity_->place(located),
     familiarity_->distance(located)},
    1);
}

torch::Tensor Network::descriptors(const torch::Tensor & pooled) const
{
  return familiarity_ == nullptr ? unit_vectors(pooled) : familiarity_->whitened_directions(pooled);
}

GaussianHead & Network::gaussian_head()
{
  if (!has_density()) {
    throw ConfigError("head.kind", "'" + config_.head.kind + "' has no p(x), expected mgproto");
  }
  return *gaussian_head_;
}

torch::Tensor Network::backbone_map(const torch::Tensor & images)
{
  torch::Tensor z;
  try {
    z = unpacked(backbone_->forward(packed_ ? images.to_mkldnn() : images));
  } catch (const std::exception &) {  // LibTorch's or oneDNN's
    // A stride takes at least one pixel; find out whether that is what happened.
    const std::int64_t smallest = std::min(images.size(2), images.size(3));
    if (smallest >= 32) {
      throw;
    }
    throw ImageError(
      "input of " + std::to_string(images.size(3)) + "x" + std::to_string(images.size(2)) +
      " pixels is too small for " + config_.backbone.architecture);
  }
  return upsampled(z, config_.backbone.upsample);
}

torch::Tensor Network::early_map(const torch::Tensor & images)
{
  auto * const staged = dynamic_cast<StagedBackbone *>(backbone_.get());
  if (staged == nullptr) {
    return {};
  }
  constexpr int kStemAndFirst = 2;
  return unpacked(staged->forward_stages(packed_ ? images.to_mkldnn() : images, 0, kStemAndFirst));
}

torch::Tensor Network::features(const torch::Tensor & z)
{
  if (!head_->has_add_on()) {
    return z;
  }
  const torch::Tensor hidden = head_->after_first_convolution(add_on_[0]->forward(z));
  return head_->after_second_convolution(add_on_[1]->forward(hidden));
}

torch::Tensor Network::whole_numbers(const torch::Tensor & pooled) const
{
  return add_on_output(pooled.view({pooled.size(0), -1, 1, 1}))
    .flatten(1)
    .slice(1, 0, head_->whole_dim());
}

torch::Tensor Network::whole(const torch::Tensor & z)
{
  if (!has_head() || head_->whole_dim() == 0) {
    return {};
  }
  // The add-on is linear, so the mean over positions may come first.
  const torch::Tensor pooled = z.mean({2, 3});
  const torch::Tensor u = whole_numbers(pooled);
  if (!taught_directions.defined()) {
    return unit_vectors(u);
  }
  const torch::Tensor own =
    unit_vectors(pooled).matmul(taught_directions.t()) + taught_offsets;  // [B, T]
  return torch::cat({u, own}, 1) / u.norm(2, 1, /*keepdim=*/true).clamp_min(1e-12);
}

torch::Tensor Network::whole_maps(const torch::Tensor & z, const torch::Tensor & classes)
{
  const std::int64_t dim = head_->whole_dim();
  const torch::Tensor q = gaussian_head().wholes.index_select(0, classes);  // [n, dim (+ 1)]
  const torch::Tensor u = add_on_output(z).slice(1, 0, dim).flatten(2);     // [B, dim, P]
  torch::Tensor maps = torch::matmul(q.slice(1, 0, dim), u);                // [B, n, P]
  torch::Tensor length = u.sum(2).square().sum(1, /*keepdim=*/true);        // squared, [B, 1]
  if (taught_directions.defined()) {
    const torch::Tensor which = classes - (head_->classes() - taught_directions.size(0));
    const torch::Tensor is_taught = which.ge(0).to(z.dtype()).unsqueeze(1);  // [n, 1]
    const torch::Tensor index = which.clamp_min(0);
    const torch::Tensor pooled_length = z.mean({2, 3}).norm(2, 1).clamp_min(1e-12).view({-1, 1, 1});
    const torch::Tensor own =
      (torch::matmul(taught_directions.index_select(0, index), z.flatten(2)) / pooled_length +
       taught_offsets.index_select(0, index).unsqueeze(1)) *
      is_taught;  // [B, n, P]
    maps = maps + q.slice(1, dim) * own;
    length = length + own.sum(2).square();
  }
  return maps / length.sqrt().clamp_min(1e-12).unsqueeze(2);
}

torch::Tensor Network::add_on_output(const torch::Tensor & z) const
{
  return add_on_[1]->forward(add_on_[0]->forward(z));
}

void Network::set_add_on(const torch::Tensor & weight, const torch::Tensor & bias)
{
  const torch::NoGradGuard no_grad;
  add_on_[0]->weight.copy_(weight.view_as(add_on_[0]->weight));
  add_on_[0]->bias.copy_(bias);
  add_on_[1]->weight.copy_(torch::eye(weight.size(0)).view_as(add_on_[1]->weight));
  add_on_[1]->bias.zero_();
}

void Network::prepare_for_inference()
{
  eval();
  backbone_->fold_batch_norms();
  for (auto & parameter : parameters()) {
    parameter.set_requires_grad(false);
  }
}

void Network::pack_for_cpu()
{
  packed_ = at::hasMKLDNN() && backbone_->can_be_packed();
  if (!packed_) {
    return;
  }
  for (const auto & module : backbone_->modules(/*include_self=*/false)) {
    if (auto * convolution = module->as<Convolution>()) {
      convolution->pack_weight();
    }
  }
}

std::int64_t Network::multiply_adds() const
{
  std::int64_t sum = 0;
  for (const auto & module : modules(/*include_self=*/false)) {
    if (const auto * convolution = module->as<Convolution>()) {
      sum += convolution->multiply_adds();
    }
  }
  return sum;
}

}  // namespace mgproto
