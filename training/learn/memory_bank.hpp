// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__LEARN__MEMORY_BANK_HPP_
#define TRAINING__LEARN__MEMORY_BANK_HPP_

#include <torch/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mgproto
{

/// Tensors by name, as a snapshot of the training holds them.
using State = std::map<std::string, torch::Tensor>;

/// Copies `from` into the tensors of `into`. Throws Error naming `owner` before anything is copied
/// if a tensor is missing or differs in shape or type.
void restore_state(const std::string & owner, const State & into, const State & from);

/// The newest N features of every class, from which EM learns its mixture. Per class a FIFO, all in
/// one tensor [C, N, D]. Holds numbers, not gradients.
class MemoryBank
{
public:
  MemoryBank(
    std::int64_t classes, std::int64_t capacity, std::int64_t dim,
    const torch::TensorOptions & options = torch::kFloat32);

  /// Stores, for each image, its features where the prototypes of its class are most likely: each
  /// distinct position once, ascending, images in their order.
  void push(
    const torch::Tensor & features /*[B, D, ...], unit vectors*/,
    const torch::Tensor & positions /*[B, K], Densities::position; K = C M*/,
    const torch::Tensor & labels /*[B]*/);

  /// Stores rows [n, D], the last being the newest. Of more than the capacity the newest stay.
  void push_rows(std::int64_t class_id, const torch::Tensor & rows);

  /// The class's features, oldest first [size, D].
  torch::Tensor contents(std::int64_t class_id) const;

  /// The features of classes that are all full, in no particular order [Kc, N, D].
  torch::Tensor full_contents(const std::vector<std::int64_t> & classes) const;

  std::int64_t classes() const { return features_.size(0); }
  std::int64_t capacity() const { return features_.size(1); }
  std::int64_t size(std::int64_t class_id) const { return at(size_, class_id); }
  bool full(std::int64_t class_id) const { return size(class_id) == capacity(); }
  bool all_full() const { return size_.eq(capacity()).all().item<bool>(); }

  /// Ascending classes that received features since this was last asked.
  std::vector<std::int64_t> take_touched();

  /// Everything that a resumed training needs, sharing memory with the bank: copy or write it
  /// before the next push.
  State state() const;
  /// Throws Error, leaving the bank as it was, if it does not fit this bank.
  void restore(const State & from);

private:
  static std::int64_t & at(const torch::Tensor & counts, std::int64_t class_id);

  torch::Tensor features_;  // [C, N, D], each class a ring
  // int64 [C], on the CPU
  torch::Tensor next_;     // the row that the next feature goes to
  torch::Tensor size_;     // rows in use; below N they are 0 .. size - 1
  torch::Tensor touched_;  // 1 if pushed to since last asked
};

}  // namespace mgproto

#endif  // TRAINING__LEARN__MEMORY_BANK_HPP_
