// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__LEARN__TRAINER_HPP_
#define TRAINING__LEARN__TRAINER_HPP_

#include <memory>

#include "mgproto_ros/error.hpp"
#include "model/network.hpp"
#include "training/config.hpp"
#include "training/learn/em.hpp"
#include "training/learn/memory_bank.hpp"
#include "training/learn/schedule.hpp"

namespace torch::optim
{
class Adam;
}

namespace mgproto
{

/// What one step did.
struct StepReport
{
  double ce = 0;
  double mining = 0;
  double aux = 0;
  double total = 0;
  double accuracy = 0;     ///< of the batch, before the update
  double memory_fill = 0;  ///< share of the memory bank in use
  std::int64_t em_classes = 0;
  double seconds_forward = 0;
  double seconds_backward = 0;
  double seconds_em = 0;
};

/// The embedding and proxies that only the auxiliary loss sees; left behind after training.
class AuxiliaryHead : public torch::nn::Module
{
public:
  AuxiliaryHead(std::int64_t channels, std::int64_t classes, const LossConfig & config);

  /// e = GAP(z), through the linear layer if there is one [B, E].
  torch::Tensor forward(const torch::Tensor & z /*[B, channels, h, w]*/);

  torch::Tensor proxies;           ///< [C, E]
  torch::Tensor embedding_weight;  ///< [E, channels]; undefined without one
  torch::Tensor embedding_bias;
};

/// One iteration of Algorithm 1: network step, memory, EM. Owns everything that changes while
/// learning; where the images come from and when to stop is somebody else's business.
class Trainer
{
public:
  Trainer(const TrainingConfig & config, std::shared_ptr<Network> network);
  ~Trainer();

  /// `epoch` counts fractions: 3.5 is the middle of the fourth. Throws NonFiniteLoss before
  /// anything is changed.
  StepReport step(const torch::Tensor & images, const torch::Tensor & labels, double epoch);

  MixtureHealth health() const { return em_.health(network_->head(), bank_); }
  Network & network() { return *network_; }
  const MemoryBank & memory() const { return bank_; }
  AuxiliaryHead & auxiliary() { return *auxiliary_; }

  /// All of it, for a snapshot: weights, optimiser, memory bank, EM.
  State state() const;
  void restore(const State & from);

private:
  void set_rates(const LearningRates & rates);

  TrainingConfig config_;
  std::shared_ptr<Network> network_;
  std::shared_ptr<AuxiliaryHead> auxiliary_;
  std::unique_ptr<torch::optim::Adam> optimizer_;
  MemoryBank bank_;
  ModifiedEm em_;
};

/// The loss of a batch is NaN or infinite.
class NonFiniteLoss : public Error
{
public:
  using Error::Error;
};

}  // namespace mgproto

#endif  // TRAINING__LEARN__TRAINER_HPP_
