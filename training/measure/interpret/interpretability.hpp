// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__INTERPRET__INTERPRETABILITY_HPP_
#define TRAINING__MEASURE__INTERPRET__INTERPRETABILITY_HPP_

#include "mgproto_ros/model_config.hpp"
#include "training/measure/interpret/image_measures.hpp"
#include "training/measure/interpret/part_measures.hpp"
#include "training/pass/pass.hpp"

namespace mgproto
{

struct InterpretabilityOptions
{
  PreprocessingConfig preprocessing;  ///< the loader's: says what ImageNet's mean is in the input
  std::uint64_t seed = 0;             ///< of stability's noise
  /// DAUC on every so many-th image, because it takes 21 forward passes each; 0: none.
  int dauc_stride = 1;
};

/// One image of a batch of `dataset` with the maps of all prototypes.
ObservedImage observed_image(
  const PrototypeHead & head, const BatchOutputs & outputs, const Dataset & dataset, int b);

/// Watches a pass over `dataset`. The images' own pass is all it needs, but for stability, which takes
/// a second one of each image with parts, and DAUC.
class InterpretabilityMeter
{
public:
  /// Keeps references. Throws ConfigError for a stride below 0, a head without prototypes, or if the
  /// data set has not as many classes as the network.
  InterpretabilityMeter(
    Network & network, const Dataset & dataset, const InterpretabilityOptions & options);

  /// Throws FileError for a mask that cannot be used.
  void add(const BatchOutputs & outputs);

  Interpretability result() const;

private:
  /// [count] maps of all prototypes under stability's noise; undefined for an image without parts.
  std::vector<torch::Tensor> noisy_maps(const BatchOutputs & outputs) const;
  void add_image(const BatchOutputs & outputs, const torch::Tensor & noisy_maps, int b);

  Network & network_;
  const PrototypeHead & head_;
  const Dataset & dataset_;
  const InterpretabilityOptions options_;
  Consistency consistency_;
  Stability stability_;
  Purity purity_;
  ObjectImbalance imbalance_;
  Dauc dauc_;
};

}  // namespace mgproto

#endif  // TRAINING__MEASURE__INTERPRET__INTERPRETABILITY_HPP_
