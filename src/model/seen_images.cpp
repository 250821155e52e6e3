// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/seen_images.hpp"

#include <torch/torch.h>

namespace mgproto
{

SeenImages::SeenImages(
  const SeenImagesConfig & config, std::int64_t channels, std::int64_t feature_dim)
: SeenImages(
    torch::zeros({config.images, channels}),
    torch::zeros({config.images, feature_dim, config.rows, config.cols}),
    torch::zeros({config.images}))
{
}

SeenImages::SeenImages(
  const torch::Tensor & pooled_, const torch::Tensor & features_, const torch::Tensor & labels_)
{
  // As a checkpoint keeps them, so that a model is the same before and after it went through a file.
  const auto rounded = [](const torch::Tensor & x) {
    return x.to(torch::kHalf).to(torch::kFloat32);
  };
  pooled = register_buffer("pooled", rounded(pooled_));
  features = register_buffer("features", rounded(features_));
  labels = register_buffer("labels", labels_.to(torch::kFloat32));
}

SeenImagesConfig SeenImages::config() const
{
  return {
    static_cast<int>(features.size(0)), static_cast<int>(features.size(2)),
    static_cast<int>(features.size(3))};
}

torch::Tensor SeenImages::classes() const { return labels.to(torch::kInt64); }

std::shared_ptr<SeenImages> SeenImages::where(const torch::Tensor & mask) const
{
  return std::make_shared<SeenImages>(
    pooled.index({mask}), features.index({mask}), labels.index({mask}));
}

std::shared_ptr<SeenImages> SeenImages::with(const SeenImages & others) const
{
  return std::make_shared<SeenImages>(
    torch::cat({pooled, others.pooled}), torch::cat({features, others.features}),
    torch::cat({labels, others.labels}));
}

}  // namespace mgproto
