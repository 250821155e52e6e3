// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/backbone.hpp"
#include "model/backbones/conv_norm.hpp"

namespace mgproto
{
namespace
{

class Vgg : public Backbone
{
public:
  /// `convolutions`: how many stand in front of each of the five max-pools.
  Vgg(
    const std::vector<int> & convolutions, bool batch_norm, bool last_pool, BackboneConfig::Map map)
  : last_pool_(last_pool),
    hypercolumn_(map == BackboneConfig::Map::hypercolumn),
    dilated_(hypercolumn_ || map == BackboneConfig::Map::dilated)
  {
    auto features = register_module("features", std::make_shared<torch::nn::Module>());
    int index = 0;  // in torchvision's Sequential, which counts ReLU and pool too
    std::int64_t in = 3;
    const std::size_t kept =
      convolutions.size() - (map == BackboneConfig::Map::penultimate ? 1 : 0);
    for (std::size_t group = 0; group < kept; ++group) {
      const std::int64_t dilation = dilated_ && group + 1 == convolutions.size() ? 2 : 1;
      const std::int64_t out = std::min<std::int64_t>(64 << group, 512);
      groups_.emplace_back();
      for (int i = 0; i < convolutions[group]; ++i) {
        const ConvolutionShape shape{in, out, 3, 1, dilation, /*bias=*/true, dilation};
        const std::string name = std::to_string(index);
        const std::string norm = batch_norm ? std::to_string(index + 1) : "";
        groups_.back().emplace_back(*features, name, norm, shape);
        index += batch_norm ? 3 : 2;
        in = out;
      }
      ++index;
    }
    channels_ = hypercolumn_ ? 2 * in : in;  // the last two groups have as many
  }

  torch::Tensor forward(torch::Tensor x) override
  {
    torch::Tensor penultimate;
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      for (auto & step : groups_[group]) {
        x = step(x).relu_();
      }
      if (hypercolumn_ && group + 1 == groups_.size()) {
        x = stacked(penultimate, x);
      }
      if (dilated_ && group + 2 == groups_.size()) {
        penultimate = x;
        x = torch::max_pool2d(x, 3, 1, 1);  // values as large as behind a pool, places kept
      } else if (group + 1 < groups_.size() || last_pool_) {
        x = torch::max_pool2d(x, 2, 2);
      }
    }
    return x;
  }

  void fold_batch_norms() override
  {
    for (auto & group : groups_) {
      for (auto & step : group) {
        step.fold();
      }
    }
  }

private:
  bool last_pool_;
  bool hypercolumn_;
  bool dilated_;
  std::vector<std::vector<ConvNorm>> groups_;
};

}  // namespace

std::shared_ptr<Backbone> make_vgg(const BackboneConfig & config)
{
  const bool vgg16 = config.architecture.rfind("vgg16", 0) == 0;
  const bool batch_norm = config.architecture.find("_bn") != std::string::npos;
  const std::vector<int> convolutions =
    vgg16 ? std::vector<int>{2, 2, 3, 3, 3} : std::vector<int>{2, 2, 4, 4, 4};
  return std::make_shared<Vgg>(convolutions, batch_norm, config.stem_pool, config.map);
}

}  // namespace mgproto
