// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/learn/mixture_method.hpp"

#include <torch/torch.h>

#include "training/learn/module_state.hpp"

namespace mgproto
{
namespace
{

/// Prototypes that were found before the training are not drawn again.
EmConfig em_config(const TrainingConfig & config)
{
  EmConfig em = config.em;
  if (config.add_on.init == AddOnConfig::Init::whitened) {
    em.init = EmConfig::Init::random;
  }
  return em;
}

}  // namespace

AuxiliaryHead::AuxiliaryHead(std::int64_t channels, std::int64_t classes, const LossConfig & config)
{
  const std::int64_t width = config.aux_embedding > 0 ? config.aux_embedding : channels;
  proxies = register_parameter("proxies", torch::empty({classes, width}));
  torch::nn::init::kaiming_normal_(proxies, 0, torch::kFanOut, torch::kLeakyReLU);
  centre = register_buffer("centre", torch::zeros({width}));
  if (config.aux_embedding > 0) {
    const torch::nn::Linear linear(channels, width);  // for LibTorch's initialisation
    const bool learns = !config.aux_freeze_embedding;
    embedding_weight =
      register_parameter("embedding_weight", linear->weight.detach().clone(), learns);
    embedding_bias = register_parameter("embedding_bias", linear->bias.detach().clone(), learns);
  }
}

void AuxiliaryHead::start_at(const Whitening & whitening)
{
  if (embedding_weight.defined()) {
    return;
  }
  const torch::NoGradGuard no_grad;
  centre.copy_(whitening.mean);
  proxies.copy_(whitening.pooled_means - whitening.mean);
}

torch::Tensor AuxiliaryHead::forward(const torch::Tensor & z)
{
  const torch::Tensor pooled = z.mean({2, 3});
  const torch::Tensor embedding =
    embedding_weight.defined()
      ? torch::nn::functional::linear(pooled, embedding_weight, embedding_bias)
      : pooled;
  return embedding - centre;
}

MixtureMethod::MixtureMethod(const TrainingConfig & config, Network & network)
: config_(config),
  head_(network.gaussian_head()),
  auxiliary_(
    std::make_shared<AuxiliaryHead>(network.backbone().channels(), head_.classes(), config.loss)),
  bank_(head_.classes(), config.em.memory, head_.means.size(1)),
  em_(em_config(config), head_, config.seed)
{
}

std::vector<torch::Tensor> MixtureMethod::parameters()
{
  std::vector<torch::Tensor> learning;
  for (const auto & parameter : auxiliary_->parameters()) {
    if (parameter.requires_grad()) {
      learning.push_back(parameter);
    }
  }
  return learning;
}

Losses MixtureMethod::losses(const SeenBatch & batch)
{
  const Densities densities = head_.forward(batch.features, batch.whole);
  position_ = densities.position;
  const torch::Tensor embeddings =
    config_.loss.aux_weight > 0 ? auxiliary_->forward(batch.z) : torch::Tensor();
  return network_losses(
    head_, batch.features, densities, embeddings, auxiliary_->proxies, batch.labels, config_.loss,
    batch.epoch >= config_.loss.mining_start);
}

void MixtureMethod::after_step(const SeenBatch & batch, StepReport & report)
{
  bank_.push(batch.features.detach(), position_, batch.labels);
  if (batch.epoch >= config_.em.start) {
    report.em_classes = static_cast<std::int64_t>(em_.update(head_, bank_, batch.rates.em).size());
    follow_wholes(batch);
  }
  std::int64_t rows = 0;
  for (std::int64_t c = 0; c < bank_.classes(); ++c) {
    rows += bank_.size(c);
  }
  report.memory_fill =
    static_cast<double>(rows) / static_cast<double>(bank_.classes() * bank_.capacity());
}

void MixtureMethod::follow_wholes(const SeenBatch & batch)
{
  if (!head_.wholes.defined()) {
    return;
  }
  const torch::Tensor mean =
    torch::zeros_like(head_.wholes).index_add_(0, batch.labels, batch.whole.detach());  // [C, n]
  const torch::Tensor seen = torch::one_hot(batch.labels, head_.classes()).any(0).unsqueeze(1);
  const torch::Tensor moved =
    unit_vectors(config_.em.ema * head_.wholes + (1 - config_.em.ema) * unit_vectors(mean));
  head_.wholes.copy_(torch::where(seen, moved, head_.wholes));
}

State MixtureMethod::state() const
{
  State state;
  add_module_state(state, "auxiliary.", *auxiliary_);
  add_with_prefix(state, "memory.", bank_.state());
  add_with_prefix(state, "em.", em_.state());
  return state;
}

void MixtureMethod::restore(const State & from)
{
  State modules;
  add_module_state(modules, "auxiliary.", *auxiliary_);
  restore_state("snapshot", modules, from);
  bank_.restore(part_of(from, "memory."));
  em_.restore(part_of(from, "em."));
}

}  // namespace mgproto
