// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__GROUND__PATCH_AGREEMENT_HPP_
#define TRAINING__GROUND__PATCH_AGREEMENT_HPP_

#include <utility>
#include <vector>

#include "training/ground/pruning.hpp"
#include "training/pass/pass.hpp"

namespace mgproto
{

/// What the training images say about the prototypes, each image by its best patch for each
/// prototype. Memory does not grow with the number of images.
class PatchAgreement
{
public:
  static constexpr std::size_t kNeighbours = 6;

  explicit PatchAgreement(const GaussianHead & head);

  /// One image of class `label`, by the log-likelihoods of its best patches [K].
  void add(const torch::Tensor & log_likelihood, std::int64_t label);

  /// How many of a prototype's 6 nearest patches, whatever their class, are of its own.
  int purity(std::int64_t prototype) const;
  /// Sum over the images of (h_a - h_b)^2, of two prototypes of one class.
  double difference(std::int64_t a, std::int64_t b) const;

private:
  std::vector<int> prototype_class_;  // [K]
  std::vector<std::int64_t> begin_;   // of each class in [K]
  std::vector<std::vector<std::pair<float, int>>>
    nearest_;                               // [K]: likelihood and class, best first
  std::vector<torch::Tensor> differences_;  // [C] of [M, M]
};

/// One pass over the images; `loader` must not augment or shuffle.
PatchAgreement patch_agreement(Network & network, Loader & loader, const Progress & progress = {});

// The two older ways to prune, for comparison.

/// ProtoPNet's: without the prototypes of whose 6 nearest patches fewer than 3 are of their class. A
/// class of which none would be left keeps its purest.
Pruning purest(const GaussianHead & head, const PatchAgreement & agreement);

/// ProtoPShare's, within each class because its prototypes belong to it: of the two that differ
/// least on the images, the one with the larger prior takes the other's prior as well, until `keep`
/// are left. Means stay what they are, training patches.
Pruning merged(const GaussianHead & head, const PatchAgreement & agreement, int keep);

struct ComparedPruning
{
  PruningMethod method;
  std::optional<int> keep;  ///< prototypes a class; none for purity
  Pruning pruning;
};

/// The rows of a table: by importance to each of these numbers; with an agreement by purity and by
/// merging, too.
std::vector<ComparedPruning> compared_prunings(
  const GaussianHead & head, const std::vector<int> & keep,
  const std::optional<PatchAgreement> & agreement);

}  // namespace mgproto

#endif  // TRAINING__GROUND__PATCH_AGREEMENT_HPP_
