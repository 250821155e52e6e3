// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__HEADS__PROTOTYPE_HEAD_HPP_
#define MODEL__HEADS__PROTOTYPE_HEAD_HPP_

#include <utility>
#include <vector>

#include "model/heads/head.hpp"

namespace mgproto
{

/// A head that compares every position of the map with prototypes, each of one class. Classes may
/// hold different numbers of them; those of one class are neighbours in [K].
class PrototypeHead : public Head
{
public:
  /// How much each position looks like each prototype; a logarithm, or something else that grows.
  /// Prototypes [K', D], or [B, M, D] for other ones in every image.
  virtual torch::Tensor similarity_maps(
    const torch::Tensor & features /*[B, D, ...]*/,
    const torch::Tensor & prototypes) const = 0;  // [B, K', P]

  /// Each prototype's similarity at the position most like it [B, K] of its map [B, K, P]. A head that
  /// also looks at the image as a whole puts every class's similarity to it behind: [B, K + C].
  virtual torch::Tensor similarity(const torch::Tensor & maps, const torch::Tensor & whole) const;

  /// Logits [B, C] of what similarity() gives, or of prototypes at other positions than their best.
  virtual torch::Tensor class_logits(const torch::Tensor & similarity) const = 0;

  /// A similarity as the activation, 0 or more, that heat maps and boxes show.
  virtual torch::Tensor activation(const torch::Tensor & similarity) const = 0;

  /// How much each column of similarity() adds to its class: shares of 1 in each class.
  virtual torch::Tensor contributions(const torch::Tensor & similarity) const = 0;  // as given

  /// The learnt connections [C, K] of a head whose logits are linear in the similarities, to be
  /// fitted again after a projection; undefined for others.
  virtual torch::Tensor last_layer() const { return {}; }

  /// Every prototype at the position most like it.
  torch::Tensor logits(
    const torch::Tensor & features, const torch::Tensor & whole = {}) const override;

  int classes() const override { return static_cast<int>(class_begin_.size()) - 1; }
  std::int64_t prototypes() const { return means.size(0); }
  /// [begin, end) of a class's prototypes in [K].
  std::pair<std::int64_t, std::int64_t> range_of(int class_id) const;
  torch::Tensor means_of(int class_id) const;  // [M, D]
  const std::vector<int> & prototype_class() const { return prototype_class_; }

  torch::Tensor means;  ///< [K, D]

protected:
  /// `prototype_class` is ascending and names every class at least once.
  explicit PrototypeHead(const std::vector<int> & prototype_class);

  const std::vector<std::int64_t> & class_begin() const { return class_begin_; }  // [C + 1]

private:
  std::vector<int> prototype_class_;       // [K]
  std::vector<std::int64_t> class_begin_;  // [C + 1]
};

/// Classes 0, 0, ..., 1, 1, ... of `classes` times `per_class` prototypes.
std::vector<int> equal_classes(int classes, int per_class);

/// The `levels` largest values of each prototype's map [B, K, P] and their positions, largest first:
/// two tensors [B, K, T], T at most P.
std::pair<torch::Tensor, torch::Tensor> top_levels(const torch::Tensor & maps, std::int64_t levels);

}  // namespace mgproto

#endif  // MODEL__HEADS__PROTOTYPE_HEAD_HPP_
