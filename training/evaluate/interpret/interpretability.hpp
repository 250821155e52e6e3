// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__INTERPRET__INTERPRETABILITY_HPP_
#define TRAINING__EVALUATE__INTERPRET__INTERPRETABILITY_HPP_

#include <memory>
#include <optional>

#include "mgproto_ros/model_config.hpp"
#include "model/network.hpp"
#include "training/data/loader.hpp"
#include "training/evaluate/interpret/purity.hpp"
#include "training/evaluate/scores.hpp"

namespace mgproto
{

/// How well prototypes explain. Shares, not per cent; none where the data has nothing to measure.
struct Interpretability
{
  std::optional<double> consistency;  ///< needs labels and parts
  std::optional<double> stability;    ///< needs labels and parts
  std::optional<PurityScore> purity;  ///< needs parts
  std::optional<double> oirr;         ///< needs masks; lower is better
  std::optional<double> dauc;         ///< lower is better
  std::optional<double> diversity;    ///< needs a class with two prototypes
};

struct InterpretabilityOptions
{
  PreprocessingConfig preprocessing;  ///< the loader's: says what ImageNet's mean is in the input
  std::uint64_t seed = 0;             ///< of stability's noise
  /// DAUC on every so many-th image, because it takes 21 forward passes each; 0: none.
  int dauc_stride = 1;
};

/// Watches a pass over `dataset`. The images' own pass is all it needs, but for stability, which takes
/// a second one of each image with parts, and DAUC.
class InterpretabilityMeter
{
public:
  /// Keeps references. Throws ConfigError for a stride below 1, a head without prototypes, or if the
  /// data set has not as many classes as the network.
  InterpretabilityMeter(
    Network & network, const Dataset & dataset, const InterpretabilityOptions & options);
  ~InterpretabilityMeter();

  /// Throws FileError for a mask that cannot be used.
  void add(const BatchAnswers & seen);

  Interpretability result() const;

private:
  struct Measures;

  void add_image(const BatchAnswers & seen, const torch::Tensor & noisy_maps, int b);

  Network & network_;
  const PrototypeHead & head_;
  const Dataset & dataset_;
  const InterpretabilityOptions options_;
  std::unique_ptr<Measures> measures_;
};

/// Purity alone, as on the training set.
class PurityMeter
{
public:
  PurityMeter(const PrototypeHead & head, const Dataset & dataset);
  void add(const BatchAnswers & seen);
  std::optional<PurityScore> result() const { return purity_.result(); }

private:
  const PrototypeHead & head_;
  const Dataset & dataset_;
  Purity purity_;
};

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__INTERPRET__INTERPRETABILITY_HPP_
