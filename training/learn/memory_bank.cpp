// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/learn/memory_bank.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <set>

#include "mgproto_ros/error.hpp"

namespace mgproto
{

void restore_state(const std::string & owner, const State & into, const State & from)
{
  for (const auto & [name, tensor] : into) {
    const auto found = from.find(name);
    if (found == from.end()) {
      throw Error(owner + ": the state has no tensor " + name);
    }
    if (
      found->second.sizes() != tensor.sizes() ||
      found->second.scalar_type() != tensor.scalar_type()) {
      throw Error(owner + ": tensor " + name + " of the state has another shape or type");
    }
  }
  const torch::NoGradGuard no_grad;
  for (const auto & [name, tensor] : into) {
    torch::Tensor target = tensor;  // shares the memory
    target.copy_(from.at(name));
  }
}

MemoryBank::MemoryBank(
  std::int64_t classes, std::int64_t capacity, std::int64_t dim,
  const torch::TensorOptions & options)
: features_(torch::zeros({classes, capacity, dim}, options)),
  next_(torch::zeros({classes}, torch::kInt64)),
  size_(torch::zeros({classes}, torch::kInt64)),
  touched_(torch::zeros({classes}, torch::kInt64))
{
  if (classes < 1 || capacity < 1 || dim < 1) {
    throw Error("a memory bank needs at least one class, one feature a class and one dimension");
  }
}

std::int64_t & MemoryBank::at(const torch::Tensor & counts, std::int64_t class_id)
{
  if (class_id < 0 || class_id >= counts.size(0)) {
    throw Error("memory bank: no class " + std::to_string(class_id));
  }
  return counts.data_ptr<std::int64_t>()[class_id];
}

void MemoryBank::push(
  const torch::Tensor & features, const torch::Tensor & positions, const torch::Tensor & labels)
{
  const torch::NoGradGuard no_grad;
  const torch::Tensor f = features.detach().flatten(2);  // [B, D, P]
  const std::int64_t K = positions.size(1), M = K / classes();
  const torch::Tensor cpu_positions = positions.to(torch::kCPU).contiguous();
  const torch::Tensor cpu_labels = labels.to(torch::kCPU).contiguous();
  const auto * position = cpu_positions.data_ptr<std::int64_t>();
  const auto * label = cpu_labels.data_ptr<std::int64_t>();
  if (positions.size(0) != f.size(0) || labels.size(0) != f.size(0) || M * classes() != K) {
    throw Error("memory bank: features, positions and labels do not fit together");
  }

  struct Places
  {
    std::vector<std::int64_t> image, position;
  };
  std::map<std::int64_t, Places> places_of;  // by class
  for (std::int64_t b = 0; b < f.size(0); ++b) {
    at(size_, label[b]);  // throws for a label that is no class
    const auto * of_class = position + b * K + label[b] * M;
    const std::set<std::int64_t> distinct(of_class, of_class + M);
    Places & places = places_of[label[b]];
    places.image.insert(places.image.end(), distinct.size(), b);
    places.position.insert(places.position.end(), distinct.begin(), distinct.end());
  }
  for (const auto & [class_id, places] : places_of) {
    const torch::Tensor image = torch::tensor(places.image, torch::kInt64).to(f.device());
    const torch::Tensor where = torch::tensor(places.position, torch::kInt64).to(f.device());
    push_rows(class_id, f.index({image, torch::indexing::Slice(), where}));  // [n, D]
  }
}

void MemoryBank::push_rows(std::int64_t class_id, const torch::Tensor & rows)
{
  const torch::NoGradGuard no_grad;
  const std::int64_t N = capacity();
  const std::int64_t count = std::min(rows.size(0), N);
  if (count == 0) {
    return;
  }
  std::int64_t & next = at(next_, class_id);
  const torch::Tensor slots =
    torch::arange(next, next + count, torch::kInt64).remainder(N).to(features_.device());
  features_[class_id].index_copy_(0, slots, rows.detach().slice(0, rows.size(0) - count));
  next = (next + count) % N;
  at(size_, class_id) = std::min(N, size(class_id) + count);
  at(touched_, class_id) = 1;
}

torch::Tensor MemoryBank::contents(std::int64_t class_id) const
{
  const std::int64_t oldest = full(class_id) ? at(next_, class_id) : 0;
  return features_[class_id].slice(0, 0, size(class_id)).roll(-oldest, 0);
}

torch::Tensor MemoryBank::full_contents(const std::vector<std::int64_t> & chosen) const
{
  for (const std::int64_t class_id : chosen) {
    if (!full(class_id)) {
      throw Error("memory of class " + std::to_string(class_id) + " is not full");
    }
  }
  return features_.index_select(0, torch::tensor(chosen, torch::kInt64).to(features_.device()));
}

std::vector<std::int64_t> MemoryBank::take_touched()
{
  std::vector<std::int64_t> result;
  for (std::int64_t c = 0; c < classes(); ++c) {
    if (at(touched_, c) != 0) {
      result.push_back(c);
    }
  }
  touched_.zero_();
  return result;
}

State MemoryBank::state() const
{
  return {{"features", features_}, {"next", next_}, {"size", size_}, {"touched", touched_}};
}

void MemoryBank::restore(const State & from)
{
  const auto within = [&](const char * name, std::int64_t largest) {
    const auto found = from.find(name);
    return found == from.end() ||
           found->second.ge(0).logical_and(found->second.le(largest)).all().item<bool>();
  };
  if (!within("next", capacity() - 1) || !within("size", capacity())) {
    throw Error("memory bank: the state counts more features than fit");
  }
  restore_state("memory bank", state(), from);
}

}  // namespace mgproto
