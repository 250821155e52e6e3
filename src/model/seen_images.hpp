// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__SEEN_IMAGES_HPP_
#define MODEL__SEEN_IMAGES_HPP_

#include <torch/nn/module.h>

#include "mgproto_ros/model_config.hpp"

namespace mgproto
{

/// Images as a network saw them, behind its backbone and its add-on, in half precision.
class SeenImages : public torch::nn::Module
{
public:
  /// Empty, to be filled from a checkpoint.
  SeenImages(const SeenImagesConfig & config, std::int64_t channels, std::int64_t feature_dim);
  /// pooled [N, channels], features [N, D, h, w], labels [N].
  SeenImages(
    const torch::Tensor & pooled, const torch::Tensor & features, const torch::Tensor & labels);

  SeenImagesConfig config() const;
  std::int64_t size() const { return pooled.size(0); }
  torch::Tensor classes() const;  // the labels as int64 [N]

  /// Those that the mask [N] chooses.
  std::shared_ptr<SeenImages> where(const torch::Tensor & mask) const;
  /// These, and then others.
  std::shared_ptr<SeenImages> with(const SeenImages & others) const;

  torch::Tensor pooled;    ///< mean of the backbone's map [N, channels]
  torch::Tensor features;  ///< what the head looks at [N, D, h, w]
  torch::Tensor labels;    ///< as float32, like all that a checkpoint holds [N]
};

}  // namespace mgproto

#endif  // MODEL__SEEN_IMAGES_HPP_
