// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/learn/trainer.hpp"

#include <torch/torch.h>

#include <sstream>

#include "training/learn/module_state.hpp"
#include "training/learn/stopwatch.hpp"

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

/// 0 for a term that is switched off.
double value_of(const torch::Tensor & term) { return term.defined() ? term.item<double>() : 0; }

}  // namespace

Trainer::Trainer(const TrainingConfig & config, std::shared_ptr<Network> network)
: config_(config),
  network_(std::move(network)),
  frozen_stages_(
    *network_, config.schedule.frozen_stages,
    std::int64_t{config.schedule.frozen_cache_megabytes} << 20),
  method_(make_method(config, *network_))
{
  const auto options = [&](double rate, bool decays = true) {
    return std::make_unique<torch::optim::AdamOptions>(
      torch::optim::AdamOptions(rate).weight_decay(decays ? config.schedule.weight_decay : 0));
  };
  const LearningRates rates = rates_at(config, 0);
  optimizer_ = std::make_unique<torch::optim::Adam>(
    std::vector<torch::optim::OptimizerParamGroup>{
      {parameters_under(*network_, kBackbonePrefix), options(rates.backbone)},
      {parameters_under(*network_, "add_on."), options(rates.add_on)},
      {method_->parameters(), options(method_->rate(rates), method_->has_weight_decay())}},
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
      parameter.value().set_requires_grad(rates.backbone > 0);
    }
  }
}

StepReport Trainer::step(
  const torch::Tensor & images, const torch::Tensor & labels, double epoch,
  const std::vector<std::int64_t> & views)
{
  StepReport report;
  report.images = images.size(0);
  Stopwatch watch;
  SeenBatch batch;
  batch.labels = labels;
  batch.epoch = epoch;
  batch.rates = rates_at(config_, epoch);
  set_rates(batch.rates);

  // The network, with what moves beside the optimiser frozen.
  network_->train();
  if (config_.schedule.frozen_statistics) {
    network_->backbone().eval();
  }
  frozen_stages_.freeze();  // after set_rates(), which lets the whole backbone learn
  batch.z = frozen_stages_.backbone_map(images, views);
  batch.features = network_->features(batch.z);
  batch.whole = network_->whole(batch.z);
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
