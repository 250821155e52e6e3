// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__FEATURE_SCORES_HPP_
#define TRAINING__MEASURE__FEATURE_SCORES_HPP_

#include <functional>
#include <optional>

#include "training/measure/softmax_scores.hpp"
#include "training/pass/image_outputs.hpp"

namespace mgproto
{

/// An OoD score [N] of each image.
using OodScore = std::function<torch::Tensor(const ImageOutputs &)>;

// Scores that are fitted on the pooled features of training images. They throw Error in one line if
// the images do not fit.

/// Minus the squared Mahalanobis distance to the nearest class (Lee et al., NeurIPS 2018), of the
/// pooled features alone: without the paper's input noise and its ensemble of layers.
///
/// Each class that the training images have is a Gaussian with its own mean and one covariance for
/// all, both by maximum likelihood (divided by N). A singular covariance is pseudo-inverted: a
/// direction in which the images of a class do not vary, or by less than a millionth of the largest
/// deviation (float32's rounding), does not count. Without any variation all distances are 0.
OodScore mahalanobis(const ImageOutputs & training);

/// The same of L2-normalised features (Mahalanobis++, Mueller & Hein, ICML 2025).
OodScore mahalanobis_of_directions(const ImageOutputs & training);

/// Minus the distance to the nearest class relative to that of one Gaussian for all images, with a
/// covariance of its own (Ren et al., 2021).
OodScore relative_mahalanobis(const ImageOutputs & training);

/// log sum_c exp(-d_c / 2), d_c the squared Mahalanobis distance to class c: the log density of a
/// mixture of the classes, up to a constant (GEM, Morteza & Li, AAAI 2022).
OodScore gem(const ImageOutputs & training);

/// Minus the distance to the k-th nearest training image, features L2-normalised (Sun et al., ICML
/// 2022). k = 50 is the paper's for CIFAR-10; with fewer images it is the farthest. A feature of
/// length 0 stays 0.
OodScore knn(const ImageOutputs & training, std::int64_t k = 50);

/// 50 neighbours, the paper's number for CIFAR-10, but no more than half of the images that a class
/// has on average: others are neighbours for no reason.
std::int64_t neighbours_within_classes(const torch::Tensor & labels /*[N]*/);

/// Virtual-logit matching (Wang et al., CVPR 2022): energy of the logits minus the virtual logit,
/// alpha times the length of the feature's residual outside the principal space of the training
/// features about an origin.
///
/// The paper's origin o = -pinv(W) b is where a linear layer's logits are 0. Without such a layer
/// the origin is the mean of the training features.
///
/// alpha = sum of the largest training logits / sum of the training residuals. Logits that are log
/// densities make it negative, and a larger residual would raise the score; so its magnitude is
/// taken. Where the training features have no residual but rounding (fewer images than dimensions)
/// there is nothing to match: alpha = 0, the score is the energy.
OodScore vim(const ImageOutputs & training, const std::optional<LinearLayer> & layer = {});

/// Dimensions of the principal space among D: 1000 from D = 2048 and 512 from D = 768 on, as in the
/// paper; D / 2 below. No more than half as many as there are training images: they span no more
/// than their number, and would leave no residual to learn from.
std::int64_t principal_dimensions(std::int64_t features, std::int64_t images);

}  // namespace mgproto

#endif  // TRAINING__MEASURE__FEATURE_SCORES_HPP_
