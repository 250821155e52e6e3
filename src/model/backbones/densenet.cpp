// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "mgproto_ros/error.hpp"
#include "model/backbone.hpp"
#include "model/backbones/conv_norm.hpp"

namespace mgproto
{
namespace
{

/// norm, ReLU, 1x1, norm, ReLU, 3x3. The first norm reads a concatenation, so no convolution stands
/// in front of it to be folded into.
class DenseLayer : public torch::nn::Module
{
public:
  DenseLayer(std::int64_t in, std::int64_t growth, std::int64_t dilation)
  {
    constexpr std::int64_t kBottleneck = 4;
    norm1_ = register_module("norm1", torch::nn::BatchNorm2d(in));
    reduce_ = ConvNorm(*this, "conv1", "norm2", {in, kBottleneck * growth, 1});
    conv2_ = register_module(
      "conv2", std::make_shared<Convolution>(ConvolutionShape{
                 kBottleneck * growth, growth, 3, 1, dilation, /*bias=*/false, dilation}));
  }

  torch::Tensor forward(const torch::Tensor & x)
  {
    return conv2_->forward(reduce_(norm1_(x).relu_()).relu_());
  }

  void fold() { reduce_.fold(); }

private:
  torch::nn::BatchNorm2d norm1_{nullptr};
  ConvNorm reduce_;
  std::shared_ptr<Convolution> conv2_;
};

/// norm, ReLU, 1x1 to half the channels, average pool.
class Transition : public torch::nn::Module
{
public:
  Transition(std::int64_t in, std::int64_t out, std::int64_t stride) : stride_(stride)
  {
    norm_ = register_module("norm", torch::nn::BatchNorm2d(in));
    conv_ = register_module("conv", std::make_shared<Convolution>(ConvolutionShape{in, out, 1}));
  }

  torch::Tensor forward(const torch::Tensor & x)
  {
    const torch::Tensor y = conv_->forward(norm_(x).relu_());
    // Without the stride every second place has the value it has with it.
    return stride_ > 1 ? torch::avg_pool2d(y, 2, stride_)
                       : torch::avg_pool2d(torch::replication_pad2d(y, {0, 1, 0, 1}), 2, 1);
  }

private:
  std::int64_t stride_;
  torch::nn::BatchNorm2d norm_{nullptr};
  std::shared_ptr<Convolution> conv_;
};

class DenseNet : public Backbone
{
public:
  DenseNet(
    const std::vector<int> & blocks, std::int64_t growth, std::int64_t stem_channels,
    bool stem_pool, BackboneConfig::Map map)
  : stem_pool_(stem_pool)
  {
    auto features = register_module("features", std::make_shared<torch::nn::Module>());
    stem_ = ConvNorm(*features, "conv0", "norm0", {3, stem_channels, 7, 2, 3});
    std::int64_t in = stem_channels;
    const bool dilated = map == BackboneConfig::Map::dilated;
    const std::size_t kept = blocks.size() - (map == BackboneConfig::Map::penultimate ? 1 : 0);
    for (std::size_t block = 0; block < kept; ++block) {
      const std::int64_t dilation = dilated && block + 1 == blocks.size() ? 2 : 1;
      const std::string number = std::to_string(block + 1);
      auto dense =
        features->register_module("denseblock" + number, std::make_shared<torch::nn::Module>());
      blocks_.emplace_back();
      for (int i = 0; i < blocks[block]; ++i) {
        blocks_.back().push_back(dense->register_module(
          "denselayer" + std::to_string(i + 1),
          std::make_shared<DenseLayer>(in, growth, dilation)));
        in += growth;
      }
      if (block + 1 < kept) {
        const std::int64_t stride = dilated && block + 2 == blocks.size() ? 1 : 2;
        transitions_.push_back(features->register_module(
          "transition" + number, std::make_shared<Transition>(in, in / 2, stride)));
        in /= 2;
      }
    }
    if (kept == blocks.size()) {
      last_norm_ = features->register_module("norm5", torch::nn::BatchNorm2d(in));
    } else {  // what the missing stage would read: the norm that its transition begins with
      auto transition = features->register_module(
        "transition" + std::to_string(kept), std::make_shared<torch::nn::Module>());
      last_norm_ = transition->register_module("norm", torch::nn::BatchNorm2d(in));
    }
    channels_ = in;
  }

  torch::Tensor forward(torch::Tensor x) override
  {
    x = stem_(x).relu_();
    if (stem_pool_) {
      x = torch::max_pool2d(x, 3, 2, 1);
    }
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      for (auto & layer : blocks_[block]) {
        x = torch::cat({x, layer->forward(x)}, 1);
      }
      if (block < transitions_.size()) {
        x = transitions_[block]->forward(x);
      }
    }
    return last_norm_(x).relu_();
  }

  void fold_batch_norms() override
  {
    stem_.fold();
    for (auto & block : blocks_) {
      for (auto & layer : block) {
        layer->fold();
      }
    }
  }

  bool can_be_packed() const override { return false; }  // oneDNN's tensors do not concatenate

private:
  ConvNorm stem_;
  bool stem_pool_;
  std::vector<std::vector<std::shared_ptr<DenseLayer>>> blocks_;
  std::vector<std::shared_ptr<Transition>> transitions_;
  torch::nn::BatchNorm2d last_norm_{nullptr};
};

}  // namespace

std::shared_ptr<Backbone> make_densenet(const BackboneConfig & config)
{
  if (config.map == BackboneConfig::Map::hypercolumn) {
    throw ConfigError(
      "backbone.map", config.architecture +
                        " hands every map on to its last one, expected dilated instead of "
                        "hypercolumn");
  }
  if (config.architecture == "densenet121") {
    return std::make_shared<DenseNet>(
      std::vector<int>{6, 12, 24, 16}, 32, 64, config.stem_pool, config.map);
  }
  return std::make_shared<DenseNet>(
    std::vector<int>{6, 12, 36, 24}, 48, 96, config.stem_pool, config.map);
}

}  // namespace mgproto
