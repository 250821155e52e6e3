// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__LEARN__EM_HPP_
#define TRAINING__LEARN__EM_HPP_

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "model/heads/gaussian_head.hpp"
#include "model/mixture/expectation.hpp"
#include "training/config.hpp"
#include "training/learn/memory_bank.hpp"

namespace mgproto
{

// Shapes as in model/mixture/expectation.hpp.

/// (gamma + alpha) / sum_m (gamma + alpha)
torch::Tensor smoothed(const torch::Tensor & responsibility, double alpha);

/// Gradient with respect to the means of what the M-step minimises,
/// -1/N sum_nm gamma_nm log(pi_m N(f_n; p_m)) + weight/(M(M-1)) sum_{m != m'} exp(-|p_m - p_m'|^2).
/// The second term is 0 for M = 1.  [Kc, M, D]
torch::Tensor mean_gradient(
  const Assignments & assigned, const torch::Tensor & means, double concentration,
  double diversity_weight);

/// Whether the prototypes of a class are different things. Each number is a mean over classes.
struct MixtureHealth
{
  std::int64_t classes = 0;                ///< 0: no memory is full yet and the rest is 0
  double mean_pairwise_distance = 0;       ///< of a class's means; 0 for M = 1
  double mean_largest_responsibility = 0;  ///< before smoothing; 1/M if all prototypes are one
  double distinct_nearest_features = 0;    ///< of the M features nearest to the M means
  double effective_prototypes = 0;         ///< exp of the priors' entropy, 1 .. M
  double mean_norm = 0;       ///< of the means; below or above 1 they are off the sphere
  double log_likelihood = 0;  ///< 1/N sum_n log sum_m pi_m N(f_n; p_m)
};

/// The modified EM that learns means and priors from the memory bank, the network being frozen.
/// Every class has its own optimiser state and step count: what one class does moves no other.
///
/// The E-step's concentration is the head's times EmConfig::sharpness; the M-step's is the head's.
/// All classes of `head` must hold equally many prototypes. One thread at a time.
class ModifiedEm
{
public:
  /// Takes sizes, precision and device from `head`. `seed` is that of the k-means++ draws.
  ModifiedEm(const EmConfig & config, const GaussianHead & head, std::uint64_t seed);

  /// With Init::kmeans, puts the means of every class whose memory is full for the first time on
  /// k-means++ seeds and its priors on 1/M. update() does it first: seeds taken earlier would come
  /// from a network that has not learnt yet what tells the classes apart.
  void seed_full_classes(GaussianHead & head, const MemoryBank & bank);

  /// To be called after each optimiser step. EmConfig::loops of E- and M-step for the classes that
  /// received features since the last update and are full, seeding them if that is still to be
  /// done. With EmConfig::wait_for_all nothing happens, and received features stay noted, until
  /// all classes are full. Returns the classes updated.
  std::vector<std::int64_t> update(GaussianHead & head, MemoryBank & bank, double learning_rate);

  /// Of all classes that are full. Costs about one E-step.
  MixtureHealth health(const GaussianHead & head, const MemoryBank & bank) const;

  /// Everything that a resumed training needs beside the head; shares memory with this object.
  State state() const;
  /// Throws Error, changing nothing, if it does not fit.
  void restore(const State & from);

private:
  struct AdamState
  {
    torch::Tensor steps;       // int64 [Kc], on the CPU
    torch::Tensor average;     // of the gradient           [Kc, M, D]
    torch::Tensor average_sq;  // of the gradient squared   [Kc, M, D]
  };

  void update_classes(
    GaussianHead & head, const MemoryBank & bank, const std::vector<std::int64_t> & classes,
    double learning_rate);
  void step_means(
    torch::Tensor & means, const Assignments & assigned, double concentration, AdamState & adam,
    double learning_rate) const;

  EmConfig config_;
  std::uint64_t seed_;
  std::int64_t prototypes_;  // M
  AdamState adam_;           // of all C classes
  torch::Tensor seeded_;     // int64 [C], on the CPU: 1 if the class's seeding is done
};

}  // namespace mgproto

#endif  // TRAINING__LEARN__EM_HPP_
