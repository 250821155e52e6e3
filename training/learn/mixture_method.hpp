// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__LEARN__MIXTURE_METHOD_HPP_
#define TRAINING__LEARN__MIXTURE_METHOD_HPP_

#include "training/learn/method.hpp"

namespace mgproto
{

/// The embedding and proxies that only the auxiliary loss sees; left behind after training.
class AuxiliaryHead : public torch::nn::Module
{
public:
  AuxiliaryHead(std::int64_t channels, std::int64_t classes, const LossConfig & config);

  /// Without a linear layer: the classes' means become the proxies, and the mean of all images the
  /// place that angles are seen from. A backbone that is good already has then little to unlearn.
  void start_at(const Whitening & whitening);

  /// e = GAP(z), through the linear layer if there is one, as seen from the centre [B, E].
  torch::Tensor forward(const torch::Tensor & z /*[B, channels, h, w]*/);

  torch::Tensor proxies;           ///< as seen from the centre [C, E]
  torch::Tensor centre;            ///< 0 unless started elsewhere [E]
  torch::Tensor embedding_weight;  ///< [E, channels]; undefined without one
  torch::Tensor embedding_bias;
};

/// MGProto: L_ce, L_mn and L_aux for the network; memory bank and EM for the mixtures.
class MixtureMethod : public Method
{
public:
  MixtureMethod(const TrainingConfig & config, Network & network);

  void start_at(const Whitening & whitening) override { auxiliary_->start_at(whitening); }
  Losses losses(const SeenBatch & batch) override;
  std::vector<torch::Tensor> parameters() override;
  double rate(const LearningRates & rates) const override { return rates.proxies; }
  void after_step(const SeenBatch & batch, StepReport & report) override;
  std::optional<MixtureHealth> health() const override { return em_.health(head_, bank_); }
  State state() const override;
  void restore(const State & from) override;

  AuxiliaryHead & auxiliary() { return *auxiliary_; }
  const MemoryBank & memory() const { return bank_; }

private:
  /// The Gaussians of the wholes, one a class, follow what they stand for: a moving average.
  void follow_wholes(const SeenBatch & batch);

  TrainingConfig config_;
  GaussianHead & head_;
  std::shared_ptr<AuxiliaryHead> auxiliary_;
  MemoryBank bank_;
  ModifiedEm em_;
  torch::Tensor position_;  // of the maxima in the batch that losses() saw last [B, K]
};

}  // namespace mgproto

#endif  // TRAINING__LEARN__MIXTURE_METHOD_HPP_
