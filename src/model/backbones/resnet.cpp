// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <map>

#include "mgproto_ros/error.hpp"
#include "model/backbones/conv_norm.hpp"
#include "model/backbones/staged_backbone.hpp"

namespace mgproto
{
namespace
{

/// Two 3x3 convolutions (ResNet18, 34) or 1x1, 3x3, 1x1 (50 and up), added to the input.
class ResidualBlock : public torch::nn::Module
{
public:
  struct Shape
  {
    std::int64_t in = 0;
    std::int64_t inner = 0;
    std::int64_t out = 0;
    std::int64_t stride = 1;
    bool bottleneck = false;
    bool stride_in_1x1 = false;
    std::int64_t dilation = 1;  // of the 3x3 convolutions behind the stride
  };

  explicit ResidualBlock(const Shape & shape)
  {
    const auto conv3x3 =
      [](std::int64_t in, std::int64_t out, std::int64_t stride, std::int64_t far) {
        return ConvolutionShape{in, out, 3, stride, /*padding=*/far, /*bias=*/false, far};
      };
    if (shape.bottleneck) {
      const std::int64_t stride_1x1 = shape.stride_in_1x1 ? shape.stride : 1;
      const std::int64_t stride_3x3 = shape.stride_in_1x1 ? 1 : shape.stride;
      path_ = {
        ConvNorm(*this, "conv1", "bn1", {shape.in, shape.inner, 1, stride_1x1}),
        ConvNorm(
          *this, "conv2", "bn2", conv3x3(shape.inner, shape.inner, stride_3x3, shape.dilation)),
        ConvNorm(*this, "conv3", "bn3", {shape.inner, shape.out, 1})};
    } else {
      path_ = {
        ConvNorm(
          *this, "conv1", "bn1", conv3x3(shape.in, shape.inner, shape.stride, shape.dilation)),
        ConvNorm(*this, "conv2", "bn2", conv3x3(shape.inner, shape.out, 1, shape.dilation))};
    }
    if (shape.stride != 1 || shape.in != shape.out) {
      auto downsample = register_module("downsample", std::make_shared<torch::nn::Module>());
      shortcut_ = ConvNorm(*downsample, "0", "1", {shape.in, shape.out, 1, shape.stride});
    }
  }

  torch::Tensor forward(const torch::Tensor & input)
  {
    torch::Tensor x = input;
    for (std::size_t i = 0; i + 1 < path_.size(); ++i) {
      x = path_[i](x).relu_();
    }
    x = path_.back()(x);
    x += shortcut_ ? shortcut_(input) : input;
    return x.relu_();
  }

  void fold()
  {
    for (auto & step : path_) {
      step.fold();
    }
    if (shortcut_) {
      shortcut_.fold();
    }
  }

private:
  std::vector<ConvNorm> path_;
  ConvNorm shortcut_;
};

class ResNet : public StagedBackbone
{
public:
  ResNet(const BackboneConfig & config, const std::vector<int> & stages, bool bottleneck)
  {
    const auto scaled = [&](int channels) {
      return std::max<std::int64_t>(1, std::llround(channels * config.width));
    };
    const bool cifar = config.stem == "cifar";
    std::int64_t in = scaled(64);
    stem_ = ConvNorm(
      *this, "conv1", "bn1",
      cifar ? ConvolutionShape{3, in, 3, 1, 1} : ConvolutionShape{3, in, 7, 2, 3});
    stem_pool_ = config.stem_pool && !cifar;
    hypercolumn_ = config.map == BackboneConfig::Map::hypercolumn;
    const bool dilated = hypercolumn_ || config.map == BackboneConfig::Map::dilated;
    const std::size_t kept =
      stages.size() - (config.map == BackboneConfig::Map::penultimate ? 1 : 0);
    std::int64_t penultimate = 0;  // channels
    for (std::size_t stage = 0; stage < kept; ++stage) {
      const bool without_stride = dilated && stage + 1 == stages.size();
      auto layer =
        register_module("layer" + std::to_string(stage + 1), std::make_shared<torch::nn::Module>());
      const std::int64_t inner = scaled(64 << stage);
      const std::int64_t out = bottleneck ? 4 * inner : inner;
      blocks_.emplace_back();
      penultimate = in;
      for (int i = 0; i < stages[stage]; ++i) {
        const std::int64_t stride = stage > 0 && i == 0 && !without_stride ? 2 : 1;
        const std::int64_t dilation = without_stride && i > 0 ? 2 : 1;
        blocks_.back().push_back(layer->register_module(
          std::to_string(i),
          std::make_shared<ResidualBlock>(ResidualBlock::Shape{
            in, inner, out, stride, bottleneck, config.stride_in_1x1, dilation})));
        in = out;
      }
    }
    channels_ = hypercolumn_ ? in + penultimate : in;
  }

  int stages() const override { return static_cast<int>(blocks_.size()) + 1; }

  torch::Tensor forward_stages(torch::Tensor x, int begin, int end) override
  {
    for (int stage = begin; stage < end; ++stage) {
      if (stage == 0) {
        x = stem_(x).relu_();
        x = stem_pool_ ? torch::max_pool2d(x, 3, 2, 1) : x;
        continue;
      }
      const torch::Tensor before = x;
      for (auto & block : blocks_[stage - 1]) {
        x = block->forward(x);
      }
      if (hypercolumn_ && stage + 1 == stages()) {
        x = stacked(before, x);
      }
    }
    return x;
  }

  std::vector<std::shared_ptr<torch::nn::Module>> modules_of(int stage) const override
  {
    if (stage == 0) {
      return {named_children()["conv1"], named_children()["bn1"]};
    }
    return {named_children()["layer" + std::to_string(stage)]};
  }

  void fold_batch_norms() override
  {
    stem_.fold();
    for (auto & stage : blocks_) {
      for (auto & block : stage) {
        block->fold();
      }
    }
  }

private:
  ConvNorm stem_;
  bool stem_pool_ = false;
  bool hypercolumn_ = false;
  std::vector<std::vector<std::shared_ptr<ResidualBlock>>> blocks_;  // of each stage but the stem
};

}  // namespace

std::shared_ptr<Backbone> make_resnet(const BackboneConfig & config)
{
  static const std::map<std::string, std::vector<int>> kStages{
    {"resnet18", {2, 2, 2, 2}},
    {"resnet34", {3, 4, 6, 3}},
    {"resnet50", {3, 4, 6, 3}},
    {"resnet101", {3, 4, 23, 3}},
    {"resnet152", {3, 8, 36, 3}}};
  const bool bottleneck = config.architecture != "resnet18" && config.architecture != "resnet34";
  if (config.stride_in_1x1 && !bottleneck) {
    throw ConfigError(
      "backbone.stride_in_1x1", config.architecture + " has no 1x1 convolutions in its blocks");
  }
  if (config.stem != "imagenet" && config.stem != "cifar") {
    throw ConfigError("backbone.stem", "'" + config.stem + "' is neither imagenet nor cifar");
  }
  if (!(config.width >= 1.0 / 64 && config.width <= 4)) {
    throw ConfigError("backbone.width", "must be within 1/64 to 4");
  }
  const auto & stages = config.stages.empty() ? kStages.at(config.architecture) : config.stages;
  if (stages.size() != 4) {
    throw ConfigError("backbone.stages", "a ResNet has 4 stages");
  }
  for (int blocks : stages) {
    if (blocks < 1 || blocks > 64) {
      throw ConfigError("backbone.stages", "each stage has 1 to 64 blocks");
    }
  }
  return std::make_shared<ResNet>(config, stages, bottleneck);
}

}  // namespace mgproto
