// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__LEARN__METHOD_HPP_
#define TRAINING__LEARN__METHOD_HPP_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/network.hpp"
#include "model/whitening.hpp"
#include "training/config.hpp"
#include "training/learn/em.hpp"
#include "training/learn/losses.hpp"
#include "training/learn/memory_bank.hpp"
#include "training/learn/schedule.hpp"

namespace mgproto
{

/// A batch that has gone through the network.
struct SeenBatch
{
  torch::Tensor z;         ///< the backbone's map [B, channels, h, w]
  torch::Tensor features;  ///< what the head looks at [B, D, h, w]
  torch::Tensor whole;     ///< Network::whole()
  torch::Tensor labels;    ///< [B]
  double epoch = 0;
  LearningRates rates;
};

/// What one step did.
struct StepReport
{
  double ce = 0;
  double mining = 0;
  double aux = 0;
  double total = 0;
  std::vector<std::pair<std::string, double>> others;  ///< further terms, by name
  double accuracy = 0;                                 ///< of the batch, before the update
  double memory_fill = 0;                              ///< share of the memory bank in use
  std::int64_t em_classes = 0;
  std::int64_t images = 0;
  double seconds_data = 0;  ///< waited for the images, if somebody says so
  double seconds_forward = 0;
  double seconds_backward = 0;
  double seconds_em = 0;

  double images_per_second() const
  {
    return static_cast<double>(images) /
           (seconds_data + seconds_forward + seconds_backward + seconds_em);
  }
};

/// How one kind of head learns: its losses, what of it the optimiser moves, and what moves it beside
/// the optimiser. Another head is one more file with one of these.
class Method
{
public:
  virtual ~Method() = default;

  /// The closed form that the network starts from, if it does.
  virtual void start_at(const Whitening & /*whitening*/) {}

  /// Of a batch, with the logits they come from.
  virtual Losses losses(const SeenBatch & batch) = 0;

  /// What the optimiser moves beside backbone and add-on, and how fast.
  virtual std::vector<torch::Tensor> parameters() = 0;
  virtual double rate(const LearningRates & rates) const = 0;
  virtual bool has_weight_decay() const { return true; }

  /// With the optimiser's step of the same batch done and the network frozen.
  virtual void after_step(const SeenBatch & /*batch*/, StepReport & /*report*/) {}

  /// Whether the prototypes of a class are different things; none if that cannot be told.
  virtual std::optional<MixtureHealth> health() const { return std::nullopt; }

  /// All that a resumed training needs beside the network.
  virtual State state() const { return {}; }
  /// Throws Error if it does not fit.
  virtual void restore(const State & /*from*/) {}
};

/// For the head of the network, which must live as long.
std::unique_ptr<Method> make_method(const TrainingConfig & config, Network & network);

}  // namespace mgproto

#endif  // TRAINING__LEARN__METHOD_HPP_
