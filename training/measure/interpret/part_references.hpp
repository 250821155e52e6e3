// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__INTERPRET__PART_REFERENCES_HPP_
#define TRAINING__MEASURE__INTERPRET__PART_REFERENCES_HPP_

#include <torch/types.h>

#include "datasets/loader.hpp"
#include "training/measure/interpret/part_measures.hpp"

namespace mgproto
{

/// What every part of a class looks like to the network: the mean of the unit vectors at its place
/// on the class's training images, itself a unit vector. Zeros for a part that was never seen.
struct PartTemplates
{
  torch::Tensor features;  ///< of what the head looks at [C, P, D]; undefined without a head
  torch::Tensor backbone;  ///< of the backbone's map [C, P, channels]
};

/// Watches a pass over the training images.
class PartTemplateLearner
{
public:
  /// Keeps a reference.
  explicit PartTemplateLearner(const Dataset & training) : dataset_(training) {}
  /// The backbone's map and what the head looks at, undefined without a head.
  void add(const Batch & batch, const torch::Tensor & z, const torch::Tensor & features);
  PartTemplates result() const;

private:
  void add_to(torch::Tensor & sum, const torch::Tensor & maps, const Batch & batch) const;

  const Dataset & dataset_;
  PartTemplates sum_;
};

/// Watches a pass over labelled images with parts.
class PartReferenceMeter
{
public:
  /// Keeps a reference.
  PartReferenceMeter(const Dataset & dataset, const PartTemplates & templates);
  void add(const Batch & batch, const torch::Tensor & z, const torch::Tensor & features);
  PartReferences result() const;

private:
  struct Measure
  {
    Consistency consistency;
    Purity purity;
    void add(const ObservedImage & image);
    PartScore result() const { return {consistency.result(), purity.result()}; }
  };
  void add_templates(
    Measure & measure, const torch::Tensor & templates, const torch::Tensor & units /*[D, h, w]*/,
    const ObservedImage & image) const;

  const Dataset & dataset_;
  const PartTemplates templates_;
  Measure centre_;
  Measure features_;
  Measure backbone_;
};

}  // namespace mgproto

#endif  // TRAINING__MEASURE__INTERPRET__PART_REFERENCES_HPP_
