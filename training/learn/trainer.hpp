// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__LEARN__TRAINER_HPP_
#define TRAINING__LEARN__TRAINER_HPP_

#include <memory>

#include "mgproto_ros/error.hpp"
#include "model/network.hpp"
#include "training/config.hpp"
#include "training/learn/frozen_stages.hpp"
#include "training/learn/method.hpp"

namespace torch::optim
{
class Adam;
}

namespace mgproto
{

/// One iteration of Algorithm 1: network step, then what the head's method does beside it (memory
/// and EM). Owns everything that changes while learning; where the images come from and when to stop
/// is somebody else's business.
class Trainer
{
public:
  Trainer(const TrainingConfig & config, std::shared_ptr<Network> network);
  ~Trainer();

  /// `epoch` counts fractions: 3.5 is the middle of the fourth; `views` is Batch::views. Throws
  /// NonFiniteLoss before anything is changed.
  StepReport step(
    const torch::Tensor & images, const torch::Tensor & labels, double epoch,
    const std::vector<std::int64_t> & views = {});

  Network & network() { return *network_; }
  Method & method() { return *method_; }

  /// All of it, for a snapshot: weights, optimiser, the method's own.
  State state() const;
  void restore(const State & from);

private:
  void set_rates(const LearningRates & rates);

  TrainingConfig config_;
  std::shared_ptr<Network> network_;
  FrozenStages frozen_stages_;
  std::unique_ptr<Method> method_;
  std::unique_ptr<torch::optim::Adam> optimizer_;
};

/// The loss of a batch is NaN or infinite.
class NonFiniteLoss : public Error
{
public:
  using Error::Error;
};

}  // namespace mgproto

#endif  // TRAINING__LEARN__TRAINER_HPP_
