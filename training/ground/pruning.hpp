// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__GROUND__PRUNING_HPP_
#define TRAINING__GROUND__PRUNING_HPP_

#include <memory>
#include <vector>

#include "mgproto_ros/manifest.hpp"
#include "model/network.hpp"
#include "training/ground/pruning_method.hpp"

namespace mgproto
{

/// Which prototypes stay.
struct Pruning
{
  std::vector<std::int64_t> kept;  ///< [K'], ascending
  torch::Tensor priors;            ///< of these [K']; those of a class may sum to less than 1
};

/// Throws ConfigError if that is less than one prototype a class.
void check_keep(int keep);

/// The prototypes with the `keep` largest priors of each class. Exactly so many, of equal priors the
/// first; a class with fewer keeps them all.
Pruning most_important(const GaussianHead & head, int keep);

/// A head of the chosen prototypes alone; p(c) stays. With `renormalize` the priors of each class are
/// brought back to a sum of 1.
std::shared_ptr<GaussianHead> pruned_head(
  const GaussianHead & head, const Pruning & pruning, const HeadConfig & config, bool renormalize);

/// A network that shares backbone and add-on tensors with `network` and holds the given head, of all
/// of its prototypes or of those that were kept.
std::shared_ptr<Network> with_head(
  Network & network, std::shared_ptr<Head> head, const std::vector<std::int64_t> & kept = {});

/// The same with a copy of its own head, which stays as it is when `network`'s changes.
std::shared_ptr<Network> with_copied_head(Network & network);

/// A network that shares all tensors with `network` but has Gaussians of this concentration: p(x) is a
/// sum over classes, and the wider they are, the more the classes that are not seen add to it.
std::shared_ptr<Network> with_concentration(Network & network, double concentration);

/// The manifest of the pruned model: provenance of the kept prototypes, stage, no calibration.
Manifest pruned_manifest(const Manifest & manifest, const std::vector<std::int64_t> & kept);

}  // namespace mgproto

#endif  // TRAINING__GROUND__PRUNING_HPP_
