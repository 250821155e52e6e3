// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/pass/pass.hpp"

#include <torch/torch.h>

namespace mgproto
{
namespace
{

template <typename Compute>
const torch::Tensor & once(torch::Tensor & kept, bool exists, Compute compute)
{
  if (exists && !kept.defined()) {
    kept = compute();
  }
  return kept;
}

}  // namespace

torch::Tensor images_of(Batch & batch)
{
  return torch::from_blob(
    batch.pixels.data(), {batch.count, 3, batch.size, batch.size}, torch::kFloat32);
}

torch::Tensor BatchOutputs::labels() const { return torch::tensor(batch_.labels, torch::kInt64); }

const torch::Tensor & BatchOutputs::images() const
{
  return once(images_, true, [&] { return images_of(batch_); });
}

const torch::Tensor & BatchOutputs::backbone_map() const
{
  return once(z_, true, [&] { return network_.backbone_map(images()); });
}

torch::Tensor BatchOutputs::pooled() const { return backbone_map().mean({2, 3}); }

const torch::Tensor & BatchOutputs::features() const
{
  return once(features_, network_.has_head(), [&] { return network_.features(backbone_map()); });
}

const torch::Tensor & BatchOutputs::whole() const
{
  const bool exists = network_.has_head() && network_.head().whole_dim() > 0;
  return once(whole_, exists, [&] { return network_.whole(backbone_map()); });
}

const torch::Tensor & BatchOutputs::maps() const
{
  const PrototypeHead * head = network_.prototype_head();
  return once(
    maps_, head != nullptr, [&] { return head->similarity_maps(features(), head->means); });
}

const torch::Tensor & BatchOutputs::similarity() const
{
  const PrototypeHead * head = network_.prototype_head();
  return once(similarity_, head != nullptr, [&] { return head->similarity(maps(), whole()); });
}

const torch::Tensor & BatchOutputs::logits() const
{
  const PrototypeHead * head = network_.prototype_head();
  return once(logits_, network_.has_head(), [&] {
    return head != nullptr ? head->class_logits(similarity()) : network_.head().logits(features());
  });
}

void for_each_batch(
  Network & network, Loader & loader, const Progress & progress,
  const std::function<void(const BatchOutputs &)> & look)
{
  const torch::NoGradGuard no_grad;
  network.eval();
  Batch batch;
  loader.start(0);
  std::int64_t done = 0;
  while (loader.next(batch)) {
    look(BatchOutputs(network, batch));
    if (progress) {
      progress(++done, loader.batches_per_epoch());
    }
  }
}

}  // namespace mgproto
