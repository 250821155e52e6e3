// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__INTERPRET__INTERPRETABILITY_HPP_
#define TRAINING__MEASURE__INTERPRET__INTERPRETABILITY_HPP_

#include <map>
#include <optional>
#include <vector>

#include "mgproto_ros/manifest.hpp"
#include "training/measure/interpret/belief.hpp"
#include "training/measure/interpret/image_measures.hpp"
#include "training/measure/interpret/likeness.hpp"
#include "training/measure/interpret/part_measures.hpp"
#include "training/pass/pass.hpp"

namespace mgproto
{

struct InterpretabilityOptions
{
  PreprocessingConfig preprocessing;  ///< the loader's
  std::uint64_t seed = 0;             ///< of stability's noise, and what alike compares with
  /// DAUC on every so many-th image, because it takes 21 forward passes each; 0: none.
  int dauc_stride = 1;
  /// Sufficient, necessary and alike likewise: seven passes, and three other images to look at.
  int belief_stride = 1;
  std::vector<std::optional<Provenance>> prototypes = {};  ///< [K] for alike, or empty
};

/// One image of a batch of `dataset` with the maps of all prototypes.
ObservedImage observed_image(
  const PrototypeHead & head, const BatchOutputs & outputs, const Dataset & dataset, int b);

/// Watches a pass over `dataset`. The images' own pass is all it needs, but for stability, which takes
/// a second one of each image with parts, DAUC and the measures of belief that change the image.
class InterpretabilityMeter
{
public:
  /// Keeps references; the network is in evaluation mode. Throws ConfigError for a stride below 0, a
  /// head without prototypes, or if the data set has not as many classes as the network.
  InterpretabilityMeter(
    Network & network, const Dataset & dataset, const InterpretabilityOptions & options);

  /// Throws FileError for a mask that cannot be used.
  void add(const BatchOutputs & outputs);

  Interpretability result() const;

private:
  /// [count] maps of all prototypes under stability's noise; undefined for an image without parts.
  std::vector<torch::Tensor> noisy_maps(const BatchOutputs & outputs) const;
  void add_image(const BatchOutputs & outputs, const torch::Tensor & noisy_maps, int b);
  /// Of the class, chosen at random, without those that cannot be read.
  std::vector<OtherImage> other_images(int class_id, std::int64_t image, Random & random);

  Network & network_;
  const PrototypeHead & head_;
  const Dataset & dataset_;
  const InterpretabilityOptions options_;
  Consistency consistency_;
  Stability stability_;
  Purity purity_;
  ObjectImbalance imbalance_;
  Dauc dauc_;
  OnObject on_object_;
  Apart apart_;
  BoxRelevance relevance_;
  Likeness likeness_;
  Preprocessor preprocessor_;                                    // of other images
  std::map<std::int64_t, std::vector<std::int64_t>> images_of_;  // by label
};

}  // namespace mgproto

#endif  // TRAINING__MEASURE__INTERPRET__INTERPRETABILITY_HPP_
