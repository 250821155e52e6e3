// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__INTERPRET__PART_REFERENCES_HPP_
#define TRAINING__EVALUATE__INTERPRET__PART_REFERENCES_HPP_

#include <torch/types.h>

#include <optional>

#include "training/evaluate/interpret/consistency.hpp"
#include "training/evaluate/interpret/purity.hpp"
#include "training/evaluate/scores.hpp"

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
  void add(const BatchAnswers & seen);
  PartTemplates result() const;

private:
  void add_to(torch::Tensor & sum, const torch::Tensor & maps, const Batch & batch) const;

  const Dataset & dataset_;
  PartTemplates sum_;
};

struct PartScore
{
  std::optional<double> consistency;
  std::optional<PurityScore> purity;
};

/// Consistency and purity that are to be had without prototypes, to judge those of prototypes by.
/// Unlike a prototype's, the ten strongest patches are all of the own class.
struct PartReferences
{
  /// Something that looks at the middle of every image; its ten patches are the first ones.
  PartScore centre;
  /// Prototypes put on the templates, which are told the parts that others have to find for
  /// themselves: what they cannot locate is hardly in the features.
  PartScore features;
  PartScore backbone;
};

/// Watches a pass over labelled images with parts.
class PartReferenceMeter
{
public:
  /// Keeps a reference.
  PartReferenceMeter(const Dataset & dataset, const PartTemplates & templates);
  void add(const BatchAnswers & seen);
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

#endif  // TRAINING__EVALUATE__INTERPRET__PART_REFERENCES_HPP_
