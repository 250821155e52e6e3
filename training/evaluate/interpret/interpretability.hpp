// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__INTERPRET__INTERPRETABILITY_HPP_
#define TRAINING__EVALUATE__INTERPRET__INTERPRETABILITY_HPP_

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
  int dauc_stride = 1;  ///< DAUC on every so many-th image, because it takes 21 forward passes each
};

/// One pass over the images. Puts the network into evaluation mode; `loader` must load `dataset`
/// and not augment. Throws ConfigError for a stride below 1 or if the data set has not as many
/// classes as the network, FileError for a mask that cannot be used.
Interpretability measure_interpretability(
  Network & network, const Dataset & dataset, Loader & loader,
  const InterpretabilityOptions & options = {}, const Progress & progress = {});

/// Purity alone, as on the training set.
std::optional<PurityScore> measure_purity(
  Network & network, const Dataset & dataset, Loader & loader, const Progress & progress = {});

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__INTERPRET__INTERPRETABILITY_HPP_
