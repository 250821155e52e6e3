// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__BACKBONES__STAGED_BACKBONE_HPP_
#define MODEL__BACKBONES__STAGED_BACKBONE_HPP_

#include <memory>
#include <vector>

#include "model/backbone.hpp"

namespace mgproto
{

/// A backbone that can be run a few stages at a time: a ResNet, whose stem is the first.
class StagedBackbone : public Backbone
{
public:
  torch::Tensor forward(torch::Tensor image) override
  {
    return forward_stages(std::move(image), 0, stages());
  }

  virtual int stages() const = 0;

  /// Stages [begin, end) of what the one before gave, or of the image.
  virtual torch::Tensor forward_stages(torch::Tensor x, int begin, int end) = 0;

  /// What a stage learns with.
  virtual std::vector<std::shared_ptr<torch::nn::Module>> modules_of(int stage) const = 0;
};

}  // namespace mgproto

#endif  // MODEL__BACKBONES__STAGED_BACKBONE_HPP_
