// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__NETWORK_HPP_
#define MODEL__NETWORK_HPP_

#include <torch/nn/module.h>

#include <memory>

#include "mgproto_ros/model_config.hpp"
#include "model/backbone.hpp"
#include "model/backbones/convolution.hpp"
#include "model/familiarity.hpp"
#include "model/heads/gaussian_head.hpp"
#include "model/seen_images.hpp"

namespace mgproto
{

/// backbone -> add-on -> head: for MGProto, unit features and their mixtures of Gaussians.
class Network : public torch::nn::Module
{
public:
  /// `head` may be null: then only a backbone to start from, `features` may not be called.
  Network(
    const ModelConfig & config, std::shared_ptr<Head> head, Weights weights = Weights::random);
  /// With the backbone of another network, as it is, and all other weights unset.
  Network(const ModelConfig & config, std::shared_ptr<Head> head, const Network & other);

  /// z [B, channels, h, w] of normalised images [B, 3, H, W]. Throws ImageError when the image is
  /// too small for the network's strides.
  torch::Tensor backbone_map(const torch::Tensor & images);

  /// A ResNet's map behind stem and first stage, of colours and edges rather than of objects
  /// [B, c, h, w]; undefined for other backbones. Images as of backbone_map().
  torch::Tensor early_map(const torch::Tensor & images);

  /// What the head looks at [B, D, h, w], of z. For MGProto unit vectors.
  torch::Tensor features(const torch::Tensor & z);

  /// The image as a whole, of z: the mean of all features before they are unit vectors, as a unit
  /// vector of its first whole_dim numbers, and behind it, divided by the same length, where it lies along
  /// the directions of taught classes. [B, whole_dim + T]; undefined for a head that does not use it.
  torch::Tensor whole(const torch::Tensor & z);

  /// The same of pooled maps [B, channels], before it is a unit vector, without taught classes.
  torch::Tensor whole_numbers(const torch::Tensor & pooled) const;  // [B, whole_dim]

  /// What each place adds to the cosine of whole() and the wholes of these classes [n]: their sums over
  /// places are those cosines.  [B, n, h w]
  torch::Tensor whole_maps(const torch::Tensor & z, const torch::Tensor & classes);

  /// Logits [B, C] of images [B, 3, H, W].
  torch::Tensor logits(const torch::Tensor & images)
  {
    const torch::Tensor z = backbone_map(images);
    return head().logits(features(z), whole(z));
  }

  /// Of MGProto alone.
  Densities forward(const torch::Tensor & images)
  {
    const torch::Tensor z = backbone_map(images);
    return gaussian_head().forward(features(z), whole(z));
  }

  /// Starts the add-on as one linear map of D x channels and a bias [D]; its second convolution does
  /// nothing yet.
  void set_add_on(const torch::Tensor & weight, const torch::Tensor & bias);

  /// For good: evaluation mode, no gradients, batch-norms folded.
  void prepare_for_inference();

  /// For good, after prepare_for_inference(), for passes on the CPU alone: weights and maps stay in
  /// the layout that oneDNN computes with, instead of being brought into it by each convolution.
  /// Does nothing for a network, or a build of LibTorch, that cannot do it.
  void pack_for_cpu();

  /// Of all convolutions in the last pass, for each image.
  std::int64_t multiply_adds() const;

  const ModelConfig & config() const { return config_; }
  Backbone & backbone() { return *backbone_; }
  bool has_head() const { return head_ != nullptr; }
  Head & head() { return *head_; }

  /// Null for a head without prototypes.
  PrototypeHead * prototype_head() { return prototype_head_; }
  /// Whether there is a p(x), which only mixtures have.
  bool has_density() const { return gaussian_head_ != nullptr; }
  /// Throws ConfigError without.
  GaussianHead & gaussian_head();

  /// Null for a model that asks nothing but log p(x).
  Familiarity * familiarity() { return familiarity_.get(); }
  /// Gives it one, empty; the config says so from then on.
  Familiarity & add_familiarity(const FamiliarityConfig & config);

  /// Null for a model that keeps no images, which can be taught nothing.
  SeenImages * seen() { return seen_.get(); }
  /// These from now on; the config says so.
  void keep(std::shared_ptr<SeenImages> images);

  /// How far each prototype is from what is usual in its class, and with that, the predicted class and
  /// the pooled map the answers to all questions behind log p(x). Undefined without familiarity.
  torch::Tensor shortfall(const torch::Tensor & similarity /*[B, K (+ C)]*/);  // [B, K]
  torch::Tensor answers(
    const torch::Tensor & predicted /*[B]*/, const torch::Tensor & shortfall,
    const torch::Tensor & pooled /*[B, channels]*/);  // [B, kQuestions - 1]

  /// The images of pooled maps as unit vectors [B, channels]; those of images that look alike have a high
  /// inner product. With familiarity in its whitened space.
  torch::Tensor descriptors(const torch::Tensor & pooled) const;

  /// Of the T taught classes in a head with wholes, else undefined: where an image lies along a class's
  /// own direction is its pooled map as a unit vector times that plus an offset.
  torch::Tensor taught_directions;  ///< [T, channels]
  torch::Tensor taught_offsets;     ///< [T]

private:
  Network(
    const ModelConfig & config, std::shared_ptr<Head> head, std::shared_ptr<Backbone> backbone,
    Weights weights);

  /// Before it becomes unit vectors, of a linear add-on.
  torch::Tensor add_on_output(const torch::Tensor & z) const;

  ModelConfig config_;
  std::shared_ptr<Backbone> backbone_;
  bool packed_ = false;
  std::shared_ptr<Convolution> add_on_[2];
  std::shared_ptr<Head> head_;
  PrototypeHead * prototype_head_ = nullptr;  // the same head by what it can do
  GaussianHead * gaussian_head_ = nullptr;
  std::shared_ptr<Familiarity> familiarity_;
  std::shared_ptr<SeenImages> seen_;
};

}  // namespace mgproto

#endif  // MODEL__NETWORK_HPP_
