// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__LEARN__FROZEN_STAGES_HPP_
#define TRAINING__LEARN__FROZEN_STAGES_HPP_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/backbones/staged_backbone.hpp"
#include "model/network.hpp"

namespace mgproto
{

/// The first stages of a ResNet, which keep their weights and statistics while the rest learns. So
/// what they make of a picture that comes again has to be computed once only.
class FrozenStages
{
public:
  /// Keeps up to `bytes` of what they gave. Throws ConfigError for a backbone without stages.
  FrozenStages(Network & network, int stages, std::int64_t bytes);

  /// Evaluation mode and no gradients for these stages; the others are left as they are.
  void freeze();

  /// Network::backbone_map() of images [B, 3, H, W]. `views` says which of them are the same
  /// pictures as before, see Batch::views; empty if none are.
  torch::Tensor backbone_map(const torch::Tensor & images, const std::vector<std::int64_t> & views);

  std::size_t kept() const { return maps_.size(); }

private:
  torch::Tensor first_stages(
    const torch::Tensor & images, const std::vector<std::int64_t> & views);  // [B, C, h, w]

  Network & network_;
  StagedBackbone * backbone_;  // null if no stage is frozen
  int stages_;
  std::int64_t bytes_left_;
  std::unordered_map<std::int64_t, torch::Tensor> maps_;  // [C, h, w] of each view
};

}  // namespace mgproto

#endif  // TRAINING__LEARN__FROZEN_STAGES_HPP_
