// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__INTERPRET__IMAGE_MEASURES_HPP_
#define TRAINING__MEASURE__INTERPRET__IMAGE_MEASURES_HPP_

#include <torch/types.h>

#include <array>
#include <functional>
#include <opencv2/core/mat.hpp>
#include <optional>

#include "mgproto_ros/model_config.hpp"
#include "model/heads/prototype_head.hpp"

namespace mgproto
{

/// OIRR, the outside-inside relevance ratio: mean activation outside the object by mean activation
/// inside it. Both are means over all images before one is divided by the other: with a sharp
/// Gaussian the inside of a single image can be all but 0, and its ratio would drown the others'.
class ObjectImbalance
{
public:
  /// The likelihood maps [M, h, w] of the predicted class's prototypes, and the object's mask in
  /// the network's input [size, size]. A mask that is all object or all background is left out.
  void add(const torch::Tensor & maps, const cv::Mat & mask);

  /// None without any image, or if nothing was active inside an object.
  std::optional<double> result() const;

private:
  double outside_ = 0;  // sums over images
  double inside_ = 0;
};

/// What ImageNet's mean colour is in an input that was normalised so: 0 if by ImageNet's mean.
std::array<float, 3> imagenet_mean(const PreprocessingConfig & preprocessing);

/// Deletion AUC: the area under p(predicted class) over the share of deleted pixels, from 0 to 1 in
/// 20 equal steps, most important pixels first. Low if the model needs what it is said to look at.
class Dauc
{
public:
  /// Posteriors [B, C] of images [B, 3, H, W].
  using Posteriors = std::function<torch::Tensor(const torch::Tensor & images)>;

  /// A deleted pixel becomes `fill`.
  Dauc(Posteriors posteriors, const std::array<float, 3> & fill);

  /// A normalised image [3, H, W] and how important its pixels are, float [H, W]. Asks for the
  /// posteriors of 21 images at once. An image whose posteriors are not finite is left out.
  void add(const torch::Tensor & image, const cv::Mat & importance);

  /// Mean over the images; none without any.
  std::optional<double> result() const;

private:
  Posteriors posteriors_;
  std::array<float, 3> fill_;
  double sum_ = 0;
  std::int64_t images_ = 0;
};

/// Mean pairwise distance of a class's means, mean over the classes that have two or more; none if
/// no class has. Ten prototypes that are one explain nothing: then it is 0.
std::optional<double> diversity(const PrototypeHead & head);

}  // namespace mgproto

#endif  // TRAINING__MEASURE__INTERPRET__IMAGE_MEASURES_HPP_
