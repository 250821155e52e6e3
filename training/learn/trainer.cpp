// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/learn/trainer.hpp"

#include <torch/torch.h>

#include <chrono>
#include <sstream>

#include "training/learn/module_state.hpp"

namespace mgproto
{
namespace
{

constexpr const char * kOptimizer = "optimizer";
constexpr const char * kBackbonePrefix = "backbone.";

// Parameter groups of the optimiser, in this order.
enum Group
{
  kBackbone,
  kAddOn,
  kMethod
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

/// Whether a tensor or module of the network, by its name, is in one of a ResNet's first parts.
bool in_first_parts(const std::string & name, int parts)
{
  const auto is_below = [&](const std::string & part) {
    const std::string prefix = kBackbonePrefix + part;
    return name.rfind(prefix + ".", 0) == 0 || name == prefix;
  };
  for (int part = 1; part < parts; ++part) {
    if (is_below("layer" + std::to_string(part))) {
      return true;
    }
  }
  return parts > 0 && (is_below("conv1") || is_below("bn1"));
}

/// 0 for a term that is switched off.
double value_of(const torch::Tensor & term) { return term.defined() ? term.item<double>() : 0; }

}  // namespace

Trainer::Trainer(const TrainingConfig & config, std::shared_ptr<Network> network)
: config_(config), network_(std::move(network)), method_(make_method(config, *network_))
{
  if (
    config.schedule.frozen_stages > 0 &&
    config.network.model.backbone.architecture.rfind("resnet", 0) != 0) {
    throw ConfigError(
      "schedule.frozen_stages",
      config.network.model.backbone.architecture + " has no stages, only ResNets have");
  }
  const auto options = [&](double rate) {
    return std::make_unique<torch::optim::AdamOptions>(
      torch::optim::AdamOptions(rate).weight_decay(config.schedule.weight_decay));
  };
  const LearningRates rates = rates_at(config, 0);
  optimizer_ = std::make_unique<torch::optim::Adam>(
    std::vector<torch::optim::OptimizerParamGroup>{
      {parameters_under(*network_, kBackbonePrefix), options(rates.backbone)},
      {parameters_under(*network_, "add_on."), options(rates.add_on)},
      {method_->parameters(), options(method_->rate(rates))}},
    torch::optim::AdamOptions());
}

Trainer::~Trainer() = default;

void Trainer::set_rates(const LearningRates & rates)
{
  const double rate[] = {rates.backbone, rates.add_on, method_->rate(rates)};
  for (const int group : {kBackbone, kAddOn, kMethod}) {
    auto & options = optimizer_->param_groups()[group].options();
    static_cast<torch::optim::AdamOptions &>(options).lr(rate[group]);
  }
  // What is frozen costs no backward pass and leaves Adam's state of it alone.
  for (auto & parameter : network_->named_parameters()) {
    if (parameter.key().rfind(kBackbonePrefix, 0) == 0) {
      parameter.value().set_requires_grad(
        rates.backbone > 0 && !in_first_parts(parameter.key(), config_.schedule.frozen_stages));
    }
  }
}

void Trainer::set_to_training()
{
  network_->train();
  for (const auto & module : network_->named_modules()) {
    if (in_first_parts(module.key(), config_.schedule.frozen_stages)) {
      module.value()->eval();  // statistics stay, too
    }
  }
}

StepReport Trainer::step(const torch::Tensor & images, const torch::Tensor & labels, double epoch)
{
  StepReport report;
  Stopwatch watch;
  SeenBatch batch;
  batch.labels = labels;
  batch.epoch = epoch;
  batch.rates = rates_at(config_, epoch);
  set_rates(batch.rates);

  // The network, with what moves beside the optimiser frozen.
  set_to_training();
  batch.z = network_->backbone_map(images);
  batch.features = network_->features(batch.z);
  const Losses losses = method_->losses(batch);
  report.total = losses.total.item<double>();
  report.ce = losses.ce.item<double>();
  report.mining = value_of(losses.mining);
  report.aux = value_of(losses.aux);
  for (const auto & [name, term] : losses.others) {
    report.others.emplace_back(name, term.item<double>());
  }
  report.accuracy = losses.logits.argmax(1).eq(labels).to(torch::kFloat32).mean().item<double>();
  if (!std::isfinite(report.total)) {
    std::ostringstream text;
    text << "the loss is not finite: ce " << report.ce << ", mining " << report.mining << ", aux "
         << report.aux;
    for (const auto & [name, value] : report.others) {
      text << ", " << name << " " << value;
    }
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
  method_->after_step(batch, report);
  report.seconds_em = watch.lap();
  return report;
}

State Trainer::state() const
{
  State state;
  add_module_state(state, "network.", *network_);
  add_with_prefix(state, "method.", method_->state());
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
  restore_state("snapshot", modules, from);
  method_->restore(part_of(from, "method."));
  const torch::Tensor & bytes = from.at(kOptimizer);
  std::istringstream stream(
    std::string(static_cast<const char *>(bytes.data_ptr()), bytes.numel()));
  torch::load(*optimizer_, stream);
}

}  // namespace mgproto
