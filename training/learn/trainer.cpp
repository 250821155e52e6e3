// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/learn/trainer.hpp"

#include <torch/torch.h>

#include <chrono>
#include <sstream>

#include "training/learn/losses.hpp"

namespace mgproto
{
namespace
{

constexpr const char * kOptimizer = "optimizer";

// Parameter groups of the optimiser, in this order.
enum Group
{
  kBackbone,
  kAddOn,
  kProxies
};

class Stopwatch
{
public:
  /// Seconds since the last call, or since this was made.
  double lap()
  {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

std::vector<torch::Tensor> parameters_under(torch::nn::Module & module, const std::string & prefix)
{
  std::vector<torch::Tensor> found;
  for (const auto & parameter : module.named_parameters()) {
    if (parameter.key().rfind(prefix, 0) == 0) {
      found.push_back(parameter.value());
    }
  }
  return found;
}

void add_module_state(State & state, const std::string & prefix, const torch::nn::Module & module)
{
  for (const auto & parameter : module.named_parameters()) {
    state[prefix + parameter.key()] = parameter.value().detach();
  }
  for (const auto & buffer : module.named_buffers()) {
    state[prefix + buffer.key()] = buffer.value();
  }
}

State part_of(const State & state, const std::string & prefix)
{
  State part;
  for (const auto & [name, tensor] : state) {
    if (name.rfind(prefix, 0) == 0) {
      part[name.substr(prefix.size())] = tensor;
    }
  }
  return part;
}

void add_with_prefix(State & state, const std::string & prefix, const State & part)
{
  for (const auto & [name, tensor] : part) {
    state[prefix + name] = tensor;
  }
}

}  // namespace

AuxiliaryHead::AuxiliaryHead(std::int64_t channels, std::int64_t classes, const LossConfig & config)
{
  const std::int64_t width = config.aux_embedding > 0 ? config.aux_embedding : channels;
  proxies = register_parameter("proxies", torch::empty({classes, width}));
  torch::nn::init::kaiming_normal_(proxies, 0, torch::kFanOut, torch::kLeakyReLU);
  if (config.aux_embedding > 0) {
    const torch::nn::Linear linear(channels, width);  // for LibTorch's initialisation
    const bool learns = !config.aux_freeze_embedding;
    embedding_weight =
      register_parameter("embedding_weight", linear->weight.detach().clone(), learns);
    embedding_bias = register_parameter("embedding_bias", linear->bias.detach().clone(), learns);
  }
}

torch::Tensor AuxiliaryHead::forward(const torch::Tensor & z)
{
  const torch::Tensor pooled = z.mean({2, 3});
  return embedding_weight.defined()
           ? torch::nn::functional::linear(pooled, embedding_weight, embedding_bias)
           : pooled;
}

Trainer::Trainer(const TrainingConfig & config, std::shared_ptr<Network> network)
: config_(config),
  network_(std::move(network)),
  auxiliary_(std::make_shared<AuxiliaryHead>(
    network_->backbone().channels(), network_->head().classes(), config.loss)),
  bank_(network_->head().classes(), config.em.memory, network_->head().means.size(1)),
  em_(config.em, network_->head(), config.seed)
{
  const auto options = [&](double rate) {
    return std::make_unique<torch::optim::AdamOptions>(
      torch::optim::AdamOptions(rate).weight_decay(config.schedule.weight_decay));
  };
  std::vector<torch::Tensor> proxies;
  for (const auto & parameter : auxiliary_->parameters()) {
    if (parameter.requires_grad()) {
      proxies.push_back(parameter);
    }
  }
  optimizer_ = std::make_unique<torch::optim::Adam>(
    std::vector<torch::optim::OptimizerParamGroup>{
      {parameters_under(*network_, "backbone."), options(config.schedule.backbone_rate)},
      {parameters_under(*network_, "add_on."), options(config.schedule.add_on_rate)},
      {proxies, options(config.schedule.proxy_rate)}},
    torch::optim::AdamOptions());
}

Trainer::~Trainer() = default;

void Trainer::set_rates(const LearningRates & rates)
{
  const double rate[] = {rates.backbone, rates.add_on, rates.proxies};
  for (const int group : {kBackbone, kAddOn, kProxies}) {
    auto & options = optimizer_->param_groups()[group].options();
    static_cast<torch::optim::AdamOptions &>(options).lr(rate[group]);
  }
  // A frozen backbone costs no backward pass and leaves Adam's state of it alone.
  for (auto & parameter : optimizer_->param_groups()[kBackbone].params()) {
    parameter.set_requires_grad(rates.backbone > 0);
  }
}

StepReport Trainer::step(const torch::Tensor & images, const torch::Tensor & labels, double epoch)
{
  StepReport report;
  Stopwatch watch;
  const LearningRates rates = rates_at(config_, epoch);
  set_rates(rates);

  // The network, with the prototypes frozen.
  network_->train();
  const torch::Tensor z = network_->backbone_map(images);
  const torch::Tensor features = network_->features(z);
  const GaussianHead & head = network_->head();
  const Densities densities = head.forward(features);
  const torch::Tensor embeddings =
    config_.loss.aux_weight > 0 ? auxiliary_->forward(z) : torch::Tensor();
  const Losses losses = network_losses(
    head, features, densities, embeddings, auxiliary_->proxies, labels, config_.loss,
    epoch >= config_.loss.mining_start);
  report.total = losses.total.item<double>();
  report.ce = losses.ce.item<double>();
  report.mining = losses.mining.item<double>();
  report.aux = losses.aux.item<double>();
  report.accuracy =
    densities.log_posterior.argmax(1).eq(labels).to(torch::kFloat32).mean().item<double>();
  if (!std::isfinite(report.total)) {
    std::ostringstream text;
    text << "the loss is not finite: ce " << report.ce << ", mining " << report.mining << ", aux "
         << report.aux;
    throw NonFiniteLoss(text.str());
  }
  report.seconds_forward = watch.lap();

  optimizer_->zero_grad();
  losses.total.backward();
  if (config_.schedule.clip_gradient > 0) {
    torch::nn::utils::clip_grad_norm_(network_->parameters(), config_.schedule.clip_gradient);
  }
  optimizer_->step();
  report.seconds_backward = watch.lap();

  // The prototypes, with the network frozen.
  torch::NoGradGuard no_grad;
  bank_.push(features.detach(), densities.position, labels);
  if (epoch >= config_.em.start) {
    report.em_classes =
      static_cast<std::int64_t>(em_.update(network_->head(), bank_, rates.em).size());
  }
  std::int64_t rows = 0;
  for (std::int64_t c = 0; c < bank_.classes(); ++c) {
    rows += bank_.size(c);
  }
  report.memory_fill =
    static_cast<double>(rows) / static_cast<double>(bank_.classes() * bank_.capacity());
  report.seconds_em = watch.lap();
  return report;
}

State Trainer::state() const
{
  State state;
  add_module_state(state, "network.", *network_);
  add_module_state(state, "auxiliary.", *auxiliary_);
  add_with_prefix(state, "memory.", bank_.state());
  add_with_prefix(state, "em.", em_.state());
  std::ostringstream bytes;
  torch::save(*optimizer_, bytes);
  const std::string text = bytes.str();
  state[kOptimizer] =
    torch::from_blob(
      const_cast<char *>(text.data()), {static_cast<std::int64_t>(text.size())}, torch::kUInt8)
      .clone();
  return state;
}

void Trainer::restore(const State & from)
{
  torch::NoGradGuard no_grad;
  State modules;
  add_module_state(modules, "network.", *network_);
  add_module_state(modules, "auxiliary.", *auxiliary_);
  restore_state("snapshot", modules, from);
  bank_.restore(part_of(from, "memory."));
  em_.restore(part_of(from, "em."));
  const torch::Tensor & bytes = from.at(kOptimizer);
  std::istringstream stream(
    std::string(static_cast<const char *>(bytes.data_ptr()), bytes.numel()));
  torch::load(*optimizer_, stream);
}

}  // namespace mgproto
