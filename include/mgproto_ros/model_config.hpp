// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MGPROTO_ROS__MODEL_CONFIG_HPP_
#define MGPROTO_ROS__MODEL_CONFIG_HPP_

#include <array>
#include <string>
#include <vector>

namespace mgproto
{

/// The convolutional network in front. Every variant is a setting recorded in the checkpoint.
struct BackboneConfig
{
  /// Which map of the network the head looks at.
  /// last: of the last stage, as published.
  /// dilated: of the last stage at the resolution of the one before it, from the same weights: its
  /// stride is left out, and its 3x3 convolutions, in a ResNet those behind its first block, look two
  /// cells away instead of one.
  /// penultimate: of the stage before the last, and there is no last one.
  /// hypercolumn: penultimate and dilated, one behind the other at every place: what is there as it
  /// looks close by, and what it belongs to.
  enum class Map
  {
    last,
    dilated,
    penultimate,
    hypercolumn
  };

  /// One of architectures().
  std::string architecture = "resnet34";
  /// Keep the max-pool after the stem (ResNet, DenseNet) or the last one (VGG). Without it the
  /// stride is 16 instead of 32, and 224 px give a 14x14 map.
  bool stem_pool = false;
  /// Bilinear up-sampling of the feature map behind the backbone (1 = none).
  int upsample = 1;
  Map map = Map::last;
  /// Bottleneck ResNets only: stride 2 on the first 1x1 convolution (ResNet v1) instead of the 3x3
  /// (v1.5, torchvision).
  bool stride_in_1x1 = false;
  /// ResNets only: blocks per stage; empty = the architecture's own.
  std::vector<int> stages;
  /// ResNets only: "imagenet" (7x7, stride 2) or "cifar" (3x3, stride 1, no pool).
  std::string stem = "imagenet";
  /// ResNets only: factor on every channel count.
  double width = 1.0;
};

/// All names that BackboneConfig::architecture may have.
const std::vector<std::string> & architectures();

/// What stands behind the backbone.
struct HeadConfig
{
  /// How the prototypes of a class make p(x|c).
  /// mixture: sum of pi h, as published; one prototype that fits is enough.
  /// product: log p(x|c) = sum of pi log h; every part counts.
  enum class Combine
  {
    mixture,
    product
  };

  /// mgproto: mixtures of Gaussian prototypes behind two add-on layers; or, to compare with,
  /// softmax (a linear layer) or protopnet (point prototypes).
  std::string kind = "mgproto";
  int feature_dim = 64;  ///< D
  /// kappa: Sigma = I / (2 pi kappa). The paper has 1.
  double concentration = 1.0;
  Combine combine = Combine::mixture;
  /// Weight, beside the prototypes', of how well the image as a whole fits its class: one Gaussian
  /// for the mean of all features. 0 = none, as published.
  double whole = 0;
  /// The whole is compared in so many of the features, the first ones; 0 without a whole.
  int whole_dim = 0;
  /// Of so many classes, the last ones, the whole is compared in one number more: where it lies along a
  /// direction of the backbone's map that is the class's own. Features that were made to tell the
  /// others apart cannot hold a class that was taught later.
  int taught = 0;
};

/// What the model keeps of how training images look to it, to ask more of an image than log p(x).
struct FamiliarityConfig
{
  int class_dim = 0;  ///< directions of the pooled map in which classes differ; 0 = nothing is kept
  int spread_dim = 0;  ///< and in which images of one class vary most
};

/// Images that the model keeps as it saw them: held-out ones, which a class that is taught later is told
/// apart from and the decision is calibrated on again, and those that taught it a class.
struct SeenImagesConfig
{
  int images = 0;  ///< 0: none, and nothing can be taught
  int rows = 0;    ///< of the feature map
  int cols = 0;
};

struct ModelConfig
{
  BackboneConfig backbone;
  HeadConfig head;
  FamiliarityConfig familiarity;
  SeenImagesConfig seen;
};

/// The one way from an 8-bit image to the network's input. It travels in the checkpoint, because
/// p(x) is only comparable between images that were prepared alike.
struct PreprocessingConfig
{
  /// resize: both sides to `size`, aspect not kept.
  /// resize_crop: shorter side to `shorter_side`, then the central size x size pixels.
  enum class Mode
  {
    resize,
    resize_crop
  };

  int size = 224;
  Mode mode = Mode::resize;
  int shorter_side = 0;  ///< resize_crop only; 0 = size * 8 / 7 (256 for 224)
  std::array<float, 3> mean{0.485f, 0.456f, 0.406f};  ///< of RGB in [0, 1] (ImageNet)
  std::array<float, 3> std{0.229f, 0.224f, 0.225f};
};

}  // namespace mgproto

#endif  // MGPROTO_ROS__MODEL_CONFIG_HPP_
